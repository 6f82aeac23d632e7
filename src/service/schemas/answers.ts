import {
  Cluster,
  ClusterList,
  ClusterMember,
  ClusterOfPage,
  ClusterSummary,
  PageName,
} from './cluster-answers.ts';
import {
  ComparedText,
  Comparison,
  Estimate,
  Groups,
  ResultContainment,
  ResultGroup,
  SharedPassage,
} from './copy-answers.ts';
import { Alive, Index, Page, Ready } from './index-answers.ts';
import { BatchAnswer, Near, Related, RelatedPage, SharedTerm, Similar, Term, Why } from './list-answers.ts';
import { ParameterFault, ProblemSchema } from './problem-answers.ts';
import { Search, SearchResult, Snippet } from './search-answers.ts';
import { Capture, History, Moved, MovedCandidate } from './time-answers.ts';

/**
 * The shapes of all answers, as shared schemas that the OpenAPI document names, in its order. Answers are
 * written without them (serialising by schema is no faster); the tests hold every answer against them.
 */
export const ANSWER_SCHEMAS = [
  ProblemSchema,
  ParameterFault,
  Related,
  RelatedPage,
  ResultContainment,
  Near,
  SharedTerm,
  Why,
  BatchAnswer,
  Similar,
  Term,
  PageName,
  ClusterSummary,
  ClusterMember,
  Cluster,
  ClusterOfPage,
  ClusterList,
  Comparison,
  ComparedText,
  Estimate,
  SharedPassage,
  Groups,
  ResultGroup,
  Moved,
  MovedCandidate,
  History,
  Capture,
  Search,
  SearchResult,
  Snippet,
  Page,
  Index,
  Alive,
  Ready,
];
