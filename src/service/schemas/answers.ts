import {
  ClusterListSchema,
  ClusterMemberSchema,
  ClusterOfPageSchema,
  ClusterSchema,
  ClusterSummarySchema,
  PageNameSchema,
} from './cluster-answers.ts';
import {
  ComparedTextSchema,
  ComparisonSchema,
  EstimateSchema,
  GroupsSchema,
  ResultContainmentSchema,
  ResultGroupSchema,
  SharedPassageSchema,
} from './copy-answers.ts';
import { FeedbackSchema } from './feedback-answers.ts';
import { AliveSchema, IndexSchema, PageSchema, ReadySchema } from './index-answers.ts';
import {
  NearSchema,
  RelatedBatchSchema,
  RelatedPageSchema,
  RelatedSchema,
  SharedTermSchema,
  SimilarSchema,
  TermSchema,
  WhySchema,
} from './list-answers.ts';
import { ParameterFaultSchema, ProblemSchema } from './problem-answers.ts';
import { SearchResultSchema, SearchSchema, SnippetSchema } from './search-answers.ts';
import { CaptureSchema, HistorySchema, MovedCandidateSchema, MovedSchema } from './time-answers.ts';

/**
 * The shapes of all answers, as shared schemas that the OpenAPI document names, in its order. Answers are
 * written without them (serializing by schema is no faster); the tests hold every answer against them.
 */
export const ANSWER_SCHEMAS = [
  ProblemSchema,
  ParameterFaultSchema,
  RelatedSchema,
  RelatedPageSchema,
  ResultContainmentSchema,
  NearSchema,
  SharedTermSchema,
  WhySchema,
  RelatedBatchSchema,
  FeedbackSchema,
  SimilarSchema,
  TermSchema,
  PageNameSchema,
  ClusterSummarySchema,
  ClusterMemberSchema,
  ClusterSchema,
  ClusterOfPageSchema,
  ClusterListSchema,
  ComparisonSchema,
  ComparedTextSchema,
  EstimateSchema,
  SharedPassageSchema,
  GroupsSchema,
  ResultGroupSchema,
  MovedSchema,
  MovedCandidateSchema,
  HistorySchema,
  CaptureSchema,
  SearchSchema,
  SearchResultSchema,
  SnippetSchema,
  PageSchema,
  IndexSchema,
  AliveSchema,
  ReadySchema,
];
