import { type Static, Type } from 'typebox';
import { PARTS } from '../../features/parts.ts';
import { COPY } from '../../relations/copy.ts';
import {
  clusteredBy,
  clustering,
  cursor,
  lang,
  limit,
  MAX_URL_CHARS,
  pageUrl,
  urlText,
} from './common-parameters.ts';
import { EXAMPLE_PAGES, EXAMPLE_WORDS } from './fields.ts';
import { LIST_FILTERS } from './list-filters.ts';
import type { Narrowing } from './list-parameters.ts';
import { propertiesOf } from './parameter.ts';

/** What lists for documents are narrowed by. */
const { clustering: _clustering, ...narrowing } = propertiesOf(LIST_FILTERS);

export const SimilarParameters = Type.Object({
  url: Type.Optional(
    urlText({
      description:
        "For a bare text/html or text/plain body: the document's own URL, which is then not listed.",
    }),
  ),
  ...narrowing,
  exact: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Compares with every page. By default a search that would take more than some 2 ms, as of long documents in ' +
        'an index of some 100,000 pages, is made in a quicker way that may miss about one in a hundred of the ' +
        'nearest pages; the similarities are exact either way. For copies: compares with every text by its sketch, ' +
        'not only with those that share the shingles that are looked up. Refused for relations by links, which compare with every page as they are.',
    }),
  ),
  cursor: Type.Optional(cursor),
});

/** A document is given once. */
const ONE_DOCUMENT = { additionalProperties: false, not: { required: ['html', 'text'] } };

/** Names and weights. */
const WEIGHTS = {
  propertyNames: { minLength: 1, maxLength: 200 },
  maxProperties: 10_000,
  additionalProperties: { type: 'number', minimum: 1e-9, maximum: 1e9 },
};

export const SimilarBody = Type.Object(
  {
    html: Type.Optional(Type.String({ description: 'The document as HTML.' })),
    text: Type.Optional(Type.String({ description: 'The document as plain text.' })),
    url: Type.Optional(
      urlText({
        description:
          'Alone: a page of the index. Beside html or text: the URL of the document, which is then not listed.',
      }),
    ),
    title: Type.Optional(Type.String({ maxLength: 10_000, description: 'Wins over the title in the HTML.' })),
    base_url: Type.Optional(
      urlText({ description: 'What relative links in the HTML start from; `url` by default.' }),
    ),
    features: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        allOf: [
          {
            anyOf: [
              {
                propertyNames: { pattern: `^(?!(${PARTS.join('|')}|constructor)$)[a-z][a-z0-9_-]{0,31}$` },
                maxProperties: 16,
                additionalProperties: { type: 'object', ...WEIGHTS },
              },
              WEIGHTS,
            ],
          },
        ],
        description:
          'Features of your own beside html or text, as a JSONL record gives them: {"tags": {"roses": 1}}, 10,000 at most. Groups that the index has no part for have no effect. A page that the index knows keeps its own where none are sent.',
      }),
    ),
  },
  {
    ...ONE_DOCUMENT,
    examples: [{ title: 'Pruning roses', text: 'When to prune a rose, and how far back to cut its canes.' }],
  },
);

export const SearchParameters = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'What to look for: words, all of which a page must have; "a phrase"; -word for what it must not have; ' +
      'site:host for one site or host. Case and accents do not count. The first 16 words and phrases count.',
    examples: [EXAMPLE_WORDS],
  }),
  site: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Lists only pages of this host and its subdomains, as site:host in `q` does.',
    }),
  ),
  lang: Type.Optional(lang),
  group: Type.Optional(
    Type.Enum(['copies', 'none'], {
      default: 'copies',
      description: 'copies: of near copies only the best is listed, with their count.',
    }),
  ),
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const PageParameters = Type.Object({ url: pageUrl });

const clusterClustering = Type.Optional(clustering('By default the first.'));

export const ClusterParameters = Type.Object({
  url: pageUrl,
  by: Type.Optional(clusteredBy),
  clustering: clusterClustering,
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const ClusterListParameters = Type.Object({
  by: Type.Optional(clusteredBy),
  sort: Type.Optional(
    Type.Enum(['size', 'label'], {
      default: 'size',
      description:
        'Largest first, those around a page that was read before those of pages known by links alone; or by label from A to Z.',
    }),
  ),
  level: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'Of topics: 0 is the finest; higher is broader.',
    }),
  ),
  clustering: clusterClustering,
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const ClusterMemberParameters = Type.Object({
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const MovedParameters = Type.Object({
  url: pageUrl,
  capture: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'The sweep whose text of the page is sought, as GET /history names it. By default of a page that is in use the latest text that is not there any more, else the last.',
    }),
  ),
  min_containment: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.2,
      description:
        'Least share of the lost text from which a page that holds it is a candidate without other evidence.',
    }),
  ),
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const HistoryParameters = Type.Object({
  url: pageUrl,
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const CompareParameters = Type.Object({
  include_text: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Adds the texts that the offsets of the passages count in.',
    }),
  ),
});

const { features: _features, ...COMPARED } = SimilarBody.properties;

export const CompareBody = Type.Object(
  {
    a: Type.Object(COMPARED, {
      ...ONE_DOCUMENT,
      description: 'As for POST /similar.',
    }),
    b: Type.Object(COMPARED, {
      ...ONE_DOCUMENT,
      description: 'As for POST /similar.',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ a: { url: EXAMPLE_PAGES[0] }, b: { title: 'Guide', text: 'When to prune a rose ...' } }],
  },
);

export const GroupResult = Type.Object(
  {
    url: Type.String({ maxLength: MAX_URL_CHARS }),
    text: Type.Optional(Type.String({ description: 'Compared in place of what the index holds.' })),
  },
  { additionalProperties: false },
);

export const GroupBody = Type.Object(
  {
    results: Type.Array(Type.Union([Type.String({ maxLength: MAX_URL_CHARS }), GroupResult]), {
      minItems: 1,
      maxItems: 200,
      description: 'The list, best result first: URLs, or URLs with their texts.',
    }),
    by: Type.Optional(
      Type.Enum([COPY.name], { default: COPY.name, description: 'What makes results belong together.' }),
    ),
    threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Least resemblance to the representative of a group; by default the one from which the index calls pages copies.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        results: [EXAMPLE_PAGES[0], { url: 'https://example.net/mirror', text: 'When to prune a rose ...' }],
        threshold: 0.8,
      },
    ],
  },
);

export const NoParameters = Type.Object({});

export type SimilarQuery = Narrowing & {
  readonly url?: string;
  readonly exact: boolean;
  readonly cursor?: string;
};
export type SearchQuery = ListQuery & {
  readonly q: string;
  readonly site?: string;
  readonly lang?: string;
  readonly group: 'copies' | 'none';
};
export type CompareQuery = { readonly include_text: boolean };
export type SimilarDocument = Static<typeof SimilarBody>;
export type MovedQuery = ListQuery & {
  readonly url: string;
  readonly capture?: string;
  readonly min_containment: number;
};
export type HistoryQuery = ListQuery & { readonly url: string };
export type ListQuery = { readonly limit: number; readonly cursor?: string };
export type ClusterQuery = ListQuery & {
  readonly url: string;
  readonly by: Narrowing['by'];
  readonly clustering?: string;
};
export type ClusterListQuery = ListQuery & {
  readonly by: Narrowing['by'];
  readonly sort: 'size' | 'label';
  readonly level: number;
  readonly clustering?: string;
};
