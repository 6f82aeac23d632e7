/** A row of each kind of export, its members in the order of columns; one without a value may be absent. */
import { Type } from '../../../lib/json-schema.ts';
import { count, exact, fetchedAt, flag, listOf, nullableText, orNull, share, text } from '../fields.ts';
import { cardFields } from './card-fields.ts';
import { ClusterSummarySchema } from './cluster-answers.ts';
import { ResultContainmentSchema } from './copy-answers.ts';
import { RelatedPageSchema } from './list-answers.ts';
import { CaptureSchema, ChangesSchema, MovedCandidateSchema } from './time-answers.ts';

const ofPage = { url: Type.String(), title: Type.String() };
const candidate = MovedCandidateSchema.properties;
const { state } = candidate;
const last_sweep = orNull(Type.String(), { description: 'The last that had it.' });

const { url: _url, title: _title, containment: _, ...listed } = RelatedPageSchema.properties;
const { fetched, similarity, measure, same_site, pinned, fallback, score, why, ...listCard } = listed;
const { asked_in_result, result_in_asked } = ResultContainmentSchema.properties;

export const RelatedRowSchema = exact('RelatedRow', {
  url: text('The page that the list is of.'),
  rank: Type.Integer({ minimum: 1, description: 'Its place in the list.' }),
  related_url: Type.String(),
  related_title: Type.String(),
  fetched,
  similarity,
  measure,
  same_site,
  asked_in_result: Type.Optional(asked_in_result),
  result_in_asked: Type.Optional(result_in_asked),
  complete: Type.Optional(flag('Of the list, as GET /related says.')),
  fallback,
  pinned,
  score,
  why,
  ...listCard,
});

export const PageRowSchema = exact('PageRow', {
  ...ofPage,
  site: Type.String(),
  lang: nullableText,
  fetched,
  state,
  last_sweep,
  fetched_at: fetchedAt,
  word_count: count(),
  in_link_count: count(),
  out_link_count: count(),
  ...cardFields,
});

export const RecordRowSchema = exact('RecordRow', {
  ...ofPage,
  lang: nullableText,
  fetched_at: fetchedAt,
  text: Type.String(),
  links: Type.Optional(
    listOf(
      Type.String(),
      'URLs of pages of the index; of a page that waits for a fold all that it links to.',
    ),
  ),
  ...cardFields,
  features: Type.Optional(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Number()), {
      description: 'Weights by feature, by group.',
    }),
  ),
  vectors: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.Number()), { description: 'By their names.' }),
  ),
});

export const ClusterRowSchema = exact('ClusterRow', {
  ...ofPage,
  level: ClusterSummarySchema.properties.level,
  cluster: text('Its id.'),
  label: ClusterSummarySchema.properties.label,
  size: Type.Integer({ minimum: 1 }),
  center_url: Type.String(),
  is_center: Type.Boolean(),
});

export const CopyRowSchema = exact('CopyRow', {
  group: text('Id of the cluster of copies.'),
  size: Type.Integer({ minimum: 2 }),
  ...ofPage,
  stays: Type.Boolean(),
  replaced_by: orNull(Type.String(), { description: 'URL of the page that stays; null for that itself.' }),
});

export const MovedRowSchema = exact('MovedRow', {
  ...ofPage,
  state,
  last_sweep,
  rank: orNull(Type.Integer({ minimum: 1 }), {
    description: 'The place of the candidate; null where there is none.',
  }),
  moved_to: orNull(Type.String(), { description: 'URL of the candidate.' }),
  moved_title: Type.Optional(Type.String()),
  strength: Type.Optional(candidate.strength),
  share: Type.Optional(orNull(share('Share of the lost text that it has.'))),
  resemblance: Type.Optional(candidate.resemblance),
  measure: Type.Optional(candidate.measure),
  evidence: Type.Optional(candidate.evidence),
  moved_state: Type.Optional(state),
  gone_since: Type.Optional(fetchedAt),
  now_at: Type.Optional(
    orNull(Type.String(), { description: 'URL where the text of a candidate that is lost is now.' }),
  ),
  passage: Type.Optional(candidate.passage),
  complete: flag('False where a bound on the search left something out.'),
});

const capture = CaptureSchema.properties;
const { before_in_this, this_in_before } = capture.containment.anyOf[0].properties;

export const ChangeRowSchema = exact('ChangeRow', {
  ...ofPage,
  state,
  sweep: Type.String(),
  fetched_at: fetchedAt,
  news: orNull(ChangesSchema.properties.pages.items.properties.news),
  token_count: Type.Optional(capture.token_count),
  changed: Type.Optional(capture.changed),
  resemblance: capture.resemblance,
  before_in_this: Type.Optional(before_in_this),
  this_in_before: Type.Optional(this_in_before),
  measure: Type.Optional(capture.measure),
});

export const LinkRowSchema = exact('LinkRow', {
  url: Type.String(),
  target_url: Type.String(),
  target_title: Type.String(),
  target_fetched: fetched,
});
