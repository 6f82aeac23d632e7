import { type TObject, Type } from 'typebox';
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
  CoverPageSchema,
  CoverSchema,
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
  SimilarSchema,
  WhySchema,
} from './list-answers.ts';
import {
  FoldSchema,
  LineFaultSchema,
  PendingSchema,
  WrittenPageSchema,
  WrittenPagesSchema,
} from './live-answers.ts';
import { ParameterFaultSchema, ProblemSchema } from './problem-answers.ts';
import {
  FacetSchema,
  SearchResultSchema,
  SearchSchema,
  SnippetSchema,
  SuggestSchema,
} from './search-answers.ts';
import { SitePageSchema, SitePagesSchema, SiteSchema, SitesSchema } from './site-answers.ts';
import { SharedTermSchema, TermSchema } from './term-answers.ts';
import {
  CaptureSchema,
  ChangesSchema,
  HistorySchema,
  LostPageSchema,
  LostSchema,
  MovedCandidateSchema,
  MovedSchema,
} from './time-answers.ts';

/** What an answer says of itself where a part of the index could not be asked. */
const LACKING = {
  partial: Type.Literal(true, {
    description:
      'Only there where shards of the index could not be asked: what they have is missing. Not cached.',
  }),
  lost_shards: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Their numbers; there with `partial`.',
  }),
};

/** The answer of a service of several shards, which may lack some of them. */
function mayLack<Schema extends TObject>(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, ...LACKING } };
}

/**
 * The shapes of all answers, as shared schemas that the OpenAPI document names, in its order. Answers are
 * written without them (serializing by schema is no faster); the tests hold every answer against them.
 */
export const ANSWER_SCHEMAS = [
  ProblemSchema,
  ParameterFaultSchema,
  mayLack(RelatedSchema),
  RelatedPageSchema,
  ResultContainmentSchema,
  NearSchema,
  SharedTermSchema,
  WhySchema,
  mayLack(RelatedBatchSchema),
  FeedbackSchema,
  WrittenPageSchema,
  WrittenPagesSchema,
  LineFaultSchema,
  PendingSchema,
  FoldSchema,
  mayLack(SimilarSchema),
  TermSchema,
  PageNameSchema,
  ClusterSummarySchema,
  ClusterMemberSchema,
  mayLack(ClusterSchema),
  mayLack(ClusterOfPageSchema),
  mayLack(ClusterListSchema),
  mayLack(ComparisonSchema),
  ComparedTextSchema,
  EstimateSchema,
  SharedPassageSchema,
  mayLack(CoverSchema),
  CoverPageSchema,
  mayLack(GroupsSchema),
  ResultGroupSchema,
  mayLack(MovedSchema),
  MovedCandidateSchema,
  mayLack(LostSchema),
  mayLack(ChangesSchema),
  LostPageSchema,
  mayLack(HistorySchema),
  CaptureSchema,
  mayLack(SearchSchema),
  mayLack(SuggestSchema),
  mayLack(SitesSchema),
  SiteSchema,
  mayLack(SitePagesSchema),
  SitePageSchema,
  FacetSchema,
  SearchResultSchema,
  SnippetSchema,
  mayLack(PageSchema),
  mayLack(IndexSchema),
  AliveSchema,
  ReadySchema,
];
