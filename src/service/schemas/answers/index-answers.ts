import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { FIELD_KINDS } from '../../../page/fields/page-fields.ts';
import { KERNELS, type KernelName } from '../../../relations/kernels.ts';
import { LINK_RELATION_NAMES } from '../../../relations/relations.ts';
import {
  answer,
  by,
  closedAs,
  count,
  exact,
  fetchedAt,
  flag,
  generation,
  listOf,
  nullableText,
  orNull,
  ref,
  replayUrl,
  text,
} from '../fields.ts';
import { cardFields, fieldsForm } from './card-fields.ts';
import { TermSchema } from './term-answers.ts';

export const PageSchema = answer('Page', {
  url: Type.String(),
  title: Type.String(),
  site: Type.String({ description: 'Registrable domain.' }),
  lang: nullableText,
  generation,
  fetched: Type.Boolean({ description: 'False for a page that is known by links alone.' }),
  gone: flag(
    'Whether a sweep found it gone, and none has had it since: title, language, `word_count` and `sweeps` are those of then; what it said of itself, its fields and its terms are not kept.',
  ),
  image: orNull(cardFields.image),
  description: orNull(cardFields.description),
  published_at: orNull(cardFields.published_at),
  modified_at: orNull(cardFields.modified_at),
  site_name: orNull(Type.String(), {
    description: 'What the page calls its site. As the four before it null where the page does not say.',
  }),
  fields: fieldsForm,
  word_count: Type.Integer(),
  in_link_count: Type.Integer({ description: 'Pages of the index that link to it.' }),
  out_link_count: Type.Integer({
    description: 'URLs that it links to, also those that are no page of the index.',
  }),
  sweeps: Type.Array(
    Type.Object({
      sweep: Type.String(),
      fetched_at: fetchedAt,
      media_type: Type.String(),
      charset: Type.String(),
      body_bytes: Type.Integer(),
      replay_url: replayUrl,
    }),
  ),
  aliases: Type.Array(Type.Object({ url: Type.String(), kind: Type.Enum(['redirect', 'canonical']) })),
  bags: listOf(
    Type.Object({
      by,
      sum: Type.Integer({ description: 'Weight of the whole bag.' }),
      terms: Type.Record(Type.String(), Type.Array(ref(TermSchema))),
    }),
    'For each relation that has bags: the top terms of each part.',
  ),
});

export const IndexSchema = answer(
  'Index',
  {
    generation,
    built_at: Type.String(),
    akin_version: Type.String(),
    page_count: Type.Integer({ description: 'Without those that are gone.' }),
    fetched_page_count: Type.Integer(),
    alias_count: Type.Integer(),
    cluster_count: Type.Integer({ description: 'Clusters by topic, on the finest level.' }),
    size_bytes: Type.Integer(),
    relations: Type.Array(
      Type.Object({
        by,
        profile: Type.String(),
        measure: Type.Enum(['exact', 'estimate']),
        neighbor_limit: Type.Integer({ description: 'Neighbors stored for a page at most.' }),
        floor: Type.Number({
          description:
            'Similarity below which nothing is listed. For copy, where excerpts are found, too, the least share of one of two texts that is in the other; their similarity may be less.',
        }),
        kernel: Type.Optional(
          Type.Enum(Object.keys(KERNELS) as KernelName[], {
            description: 'Where votes order lists: how candidates are found, and how near a page is.',
          }),
        ),
        clusterings: Type.Optional(
          listOf(
            Type.Object({
              name: Type.String(),
              measure: Type.Enum(['resemblance', 'containment']),
              threshold: Type.Number({ description: 'Pairs at or above it are in one cluster.' }),
              cluster_count: Type.Integer({ description: 'Clusters of two pages and more.' }),
              page_count: Type.Integer({ description: 'Pages in them.' }),
            }),
            'For copy: the clusterings side by side, the one by default first.',
          ),
        ),
        s_curve: Type.Optional(
          listOf(
            Type.Object({ similarity: Type.Number(), recall: Type.Number() }),
            'Theoretical share of the pairs of a similarity that the sketches find.',
          ),
        ),
      }),
    ),
    link_relations: listOf(
      Type.Enum([...LINK_RELATION_NAMES]),
      'Relations that are answered live from the links between pages; none in an index without links.',
    ),
    sweeps: Type.Array(
      Type.Object({
        name: Type.String(),
        record_count: Type.Integer(),
        started_at: Type.String(),
        whole_site_count: Type.Integer({
          description:
            'Sites of which the sweep was added as the whole state: what it does not have of them is gone.',
        }),
        crawled_host_count: Type.Integer({
          description:
            'Hosts of which its crawl left nothing out: what it does not have of them was not seen.',
        }),
        skipped: Type.Record(Type.String(), Type.Integer(), {
          description: 'Records that could not be used, by reason.',
        }),
        skipped_files: Type.Record(Type.String(), Type.Integer(), {
          description: 'Of these, files of a folder that are no pages, by extension.',
        }),
      }),
    ),
    vectors: listOf(
      Type.Object({
        name: Type.String(),
        dimensions: Type.Integer({ description: 'Components of each.' }),
        page_count: Type.Integer({ description: 'Pages that have one, of fetched_page_count.' }),
        other_length_count: Type.Integer({
          description: 'Pages whose vector was left out, as it has another length than most.',
        }),
        error_bound: Type.Number({
          description:
            'What a similarity may be off at most from the cosine of the vectors as they were given, as each component is kept as one of 255 steps. Most are off by far less.',
        }),
        method: Type.Enum(['exact', 'cells'], {
          description: 'exact: all pairs were compared. cells: those that lie near to one another.',
        }),
        recall: Type.Number({
          description: 'Share of the exact ten nearest pages that the lists have, of a sample of pages.',
        }),
        recall_low: Type.Number({ description: 'Of all pages, at 95 %, it is at least this,' }),
        recall_high: Type.Number({ description: 'and at most this.' }),
        sample_count: Type.Integer({ description: 'Pages in the sample; 0 where exact.' }),
      }),
      'The vectors that owners gave pages, by their names; lists go by them with by=meaning.',
    ),
    blend: orNull(
      Type.Object(
        {
          vectors: Type.String({ description: 'Their name.' }),
          share: Type.Number({ description: 'How much they say, from 0 to 1; words say the rest.' }),
          scale: Type.Number({
            description: 'What a cosine is multiplied with, so that it is about as large as what words say.',
          }),
          page_count: Type.Integer({
            description: 'Pages that have such a vector; others go by words alone.',
          }),
        },
        {
          description:
            'By which vectors lists with by=topic go beside words (--meaning-share); null where they go by words alone.',
        },
      ),
    ),
    fields: listOf(
      Type.Object({
        name: Type.String(),
        kind: orNull(
          Type.Enum([...FIELD_KINDS], {
            description:
              'As it was declared; null where it was not: a filter by it reads the fields of pages.',
          }),
        ),
        page_count: Type.Integer({ description: 'Pages that have it.' }),
      }),
      'Names of the fields that pages have, by which lists can be narrowed: those that were declared, and the first 1,000 others.',
    ),
    parameters: Type.Record(Type.String(), Type.Unknown()),
    stages: Type.Array(
      Type.Object({
        name: text('`copies: pairs` is a phase of the stage `copies`: it counts in no sum.'),
        record_count: Type.Integer(),
        duration_ms: Type.Number(),
        processor_ms: Type.Number({
          description: 'Processor time of all threads meanwhile, those of work beside the stage among them.',
        }),
      }),
    ),
  },
  { description: 'The index card: what an index says about itself.' },
);

export const AliveSchema = exact('Alive', { status: Type.Literal('alive') });

export const ReadySchema = exact('Ready', {
  status: Type.Literal('ready'),
  generation,
  page_count: Type.Integer({ description: 'Without those that are gone.' }),
  swap_count: Type.Integer(),
  loaded_at: Type.String(),
  fault: orNull(Type.Object({ code: Type.String(), at: Type.String() }), {
    description: 'What keeps a newer index file from being served.',
  }),
  crawl: Type.Optional(
    closedAs('Where akin up keeps the index fresh.', {
      state: Type.Enum(['crawling', 'indexing', 'waiting']),
      sweep: count('Number of the last sweep.'),
      page_count: count('Pages of it so far.'),
      next_at: orNull(Type.String({ description: 'When the next one begins; null where none is planned.' })),
    }),
  ),
  lost_shards: Type.Optional(listOf(count(), 'Of an index in shards: those that cannot be asked now.')),
});

/** GET /page. */
export type PageAnswer = Static<typeof PageSchema>;
/** GET /index. */
export type IndexAnswer = Static<typeof IndexSchema>;
/** GET /readyz. */
export type ReadyAnswer = Static<typeof ReadySchema>;
