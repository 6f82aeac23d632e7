import { type Static, Type } from 'typebox';
import { COPY } from '../../relations/copy.ts';
import { DEFAULT_RELATION, RELATION_NAMES, type RelationName } from '../../relations/relations.ts';

const MAX_URL_CHARS = 4096;

export const pageUrl = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: MAX_URL_CHARS,
  description: 'The page, as an absolute http or https URL. Normalised as at indexing; aliases are followed.',
  examples: ['https://example.org/guide/'],
});

const by = Type.Enum([...RELATION_NAMES], {
  default: DEFAULT_RELATION.name,
  description: 'The relation asked about. An index holds one or more of them; see GET /index.',
});

const limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 10,
  description: 'Length of the list at most.',
});

const cursor = Type.String({
  maxLength: 100,
  description:
    'The `next` of the answer before. Bound to the generation of the index: an older one gets 410.',
});

const EXCLUDE_COPIES =
  'Leaves out near copies of the page itself and of pages further up in the list: copies that resemble it at 0.9 or ' +
  'more, and copies of the same title on the same site. An index built without copies knows none.';

/** What narrows a list of related pages; shared by every route that answers one. */
const narrowing = {
  by: Type.Optional(by),
  limit: Type.Optional(limit),
  min_similarity: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Leaves out pages less similar than this.',
    }),
  ),
  same_site: Type.Optional(
    Type.Enum(['include', 'exclude', 'only'], {
      default: 'include',
      description: 'Whether pages of the same site (registrable domain) are listed.',
    }),
  ),
  max_per_site: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Pages of one site in the list at most.' }),
  ),
  exclude: Type.Optional(
    Type.Array(Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL_CHARS }), {
      maxItems: 100,
      default: [],
      description: 'A page that must not be listed; repeat it for several.',
    }),
  ),
  exclude_linked: Type.Optional(
    Type.Boolean({ default: false, description: 'Leaves out what the page links to already.' }),
  ),
  exclude_copies: Type.Optional(Type.Boolean({ default: false, description: EXCLUDE_COPIES })),
  fetched: Type.Optional(
    Type.Enum(['include', 'only'], {
      default: 'include',
      description: 'only: leaves out pages that are known by links alone, whose text nobody has read.',
    }),
  ),
  lang: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 35,
      description:
        'Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en.',
    }),
  ),
  explain: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Adds `why`: the shared terms and their shares of the overlap. Copies have none: POST /compare shows what they share.',
    }),
  ),
};

const clustering = (more: string) =>
  Type.String({
    maxLength: 20,
    examples: ['0.9', '0.8c'],
    description:
      'For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages ' +
      `of which that share is in the other. ${more}`,
  });

/** What narrows a list of pages related to a page of the index. */
const pageNarrowing = {
  ...narrowing,
  clustering: Type.Optional(
    clustering(
      'Lists the pages of its cluster, however much they resemble it, at most the 1,000 nearest to the center; ' +
        'without it, the pages that resemble it.',
    ),
  ),
};

export const RelatedParameters = Type.Object({
  url: pageUrl,
  ...pageNarrowing,
  cursor: Type.Optional(cursor),
});

const { explain: _explain, exclude_copies: _excludeCopies, ...fragmentNarrowing } = pageNarrowing;

export const FragmentParameters = Type.Object({
  url: pageUrl,
  ...fragmentNarrowing,
  exclude_copies: Type.Optional(
    Type.Boolean({ description: `${EXCLUDE_COPIES} By default true, but for by=${COPY.name}.` }),
  ),
  heading: Type.Optional(
    Type.String({
      maxLength: 200,
      default: 'Related pages',
      description: 'Heading of the section; an empty one leaves it out.',
    }),
  ),
  missing: Type.Optional(
    Type.Enum(['200', '404'], {
      default: '200',
      description:
        'Status for a page that is not in the index: 200 with an empty section, which may stand in any page, or 404.',
    }),
  ),
});

export const BatchBody = Type.Object(
  {
    urls: Type.Array(Type.String({ maxLength: MAX_URL_CHARS }), {
      minItems: 1,
      maxItems: 100,
      description: 'The pages; the results come in their order.',
    }),
    ...pageNarrowing,
  },
  {
    additionalProperties: false,
    examples: [{ urls: ['https://example.org/guide/', 'https://example.org/news/'], limit: 3 }],
  },
);

export const SimilarParameters = Type.Object({
  url: Type.Optional(
    Type.String({
      format: 'uri',
      minLength: 1,
      maxLength: MAX_URL_CHARS,
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
        'not only with those that share the shingles that are looked up.',
    }),
  ),
  cursor: Type.Optional(cursor),
});

export const SimilarBody = Type.Object(
  {
    html: Type.Optional(Type.String({ description: 'The document as HTML.' })),
    text: Type.Optional(Type.String({ description: 'The document as plain text.' })),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        minLength: 1,
        maxLength: MAX_URL_CHARS,
        description:
          'Alone: a page of the index. Beside html or text: the URL of the document, which is then not listed.',
      }),
    ),
    title: Type.Optional(Type.String({ maxLength: 10_000, description: 'Wins over the title in the HTML.' })),
    base_url: Type.Optional(
      Type.String({
        format: 'uri',
        minLength: 1,
        maxLength: MAX_URL_CHARS,
        description: 'What relative links in the HTML start from; `url` by default.',
      }),
    ),
  },
  {
    additionalProperties: false,
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
    examples: ['prune roses'],
  }),
  site: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Lists only pages of this host and its subdomains, as site:host in `q` does.',
    }),
  ),
  lang: narrowing.lang,
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
  by: Type.Optional(by),
  clustering: clusterClustering,
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
});

export const ClusterListParameters = Type.Object({
  by: Type.Optional(by),
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

export const CompareBody = Type.Object(
  {
    a: Type.Object(SimilarBody.properties, {
      additionalProperties: false,
      description: 'As for POST /similar.',
    }),
    b: Type.Object(SimilarBody.properties, {
      additionalProperties: false,
      description: 'As for POST /similar.',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      { a: { url: 'https://example.org/guide/' }, b: { title: 'Guide', text: 'When to prune a rose ...' } },
    ],
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
        results: [
          'https://example.org/guide/',
          { url: 'https://example.net/mirror', text: 'When to prune a rose ...' },
        ],
        threshold: 0.8,
      },
    ],
  },
);

export const NoParameters = Type.Object({});

/** What a list of related pages is narrowed by, defaults filled in. */
export interface Narrowing {
  readonly by: RelationName;
  readonly limit: number;
  readonly min_similarity: number;
  readonly same_site: 'include' | 'exclude' | 'only';
  readonly max_per_site?: number;
  readonly exclude: readonly string[];
  readonly exclude_linked: boolean;
  readonly exclude_copies: boolean;
  readonly fetched: 'include' | 'only';
  readonly lang?: string;
  readonly explain: boolean;
  /** For pages of the index. */
  readonly clustering?: string;
}

export type RelatedQuery = Narrowing & { readonly url: string; readonly cursor?: string };
export type FragmentQuery = Omit<Narrowing, 'explain' | 'exclude_copies'> & {
  readonly url: string;
  readonly exclude_copies?: boolean;
  readonly heading: string;
  readonly missing: '200' | '404';
};
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
export type BatchQuery = Narrowing & { readonly urls: readonly string[] };
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
