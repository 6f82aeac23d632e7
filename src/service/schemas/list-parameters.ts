/** What narrows a list of related pages, and the parameters of the routes that answer one for a page of the index. */
import { Type } from 'typebox';
import { COPY } from '../../relations/copy.ts';
import {
  DEFAULT_RELATION,
  RELATION_NAMES,
  type RelationName,
  STORED_RELATION_NAMES,
} from '../../relations/relations.ts';
import { JUDGEMENTS } from '../../store/feedback-log.ts';
import { EXAMPLE_PAGES } from './fields.ts';

export const MAX_URL_CHARS = 4096;

/** A URL in a request. */
export function urlText<
  More extends { readonly description?: string; readonly examples?: readonly string[] },
>(more: More) {
  return Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL_CHARS, ...more });
}

export const pageUrl = urlText({
  description: 'The page, as an absolute http or https URL. Normalized as at indexing; aliases are followed.',
  examples: [EXAMPLE_PAGES[0]!],
});

const by = Type.Enum([...RELATION_NAMES], {
  default: DEFAULT_RELATION.name,
  description:
    'The relation asked about. An index holds one or more of them, and those by links where it has links; see GET /index.',
});

export const clusteredBy = Type.Enum([...STORED_RELATION_NAMES], {
  default: DEFAULT_RELATION.name,
  description: 'The relation asked about. Relations by links have no clusters.',
});

export const limit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 10,
  description: 'Length of the list at most.',
});

export const cursor = Type.String({
  maxLength: 100,
  description:
    'The `next` of the answer before. Bound to the generation of the index: an older one gets 410.',
});

const EXCLUDE_COPIES =
  'Leaves out near copies of the page itself and of pages further up in the list: copies that resemble it at 0.9 or ' +
  'more, and copies of the same title on the same site. An index built without copies knows none.';

const CARDS =
  'Adds what a page says of itself: image, description, published_at, modified_at, each where it says it.';

/** What narrows a list of related pages; shared by every route that answers one. */
export const narrowing = {
  by: Type.Optional(by),
  limit: Type.Optional(limit),
  min_similarity: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Leaves out pages less similar than this. Refused for a relation of scores.',
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
    Type.Array(urlText({}), {
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
  published_after: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 35,
      description:
        'Lists only pages that say they were published at this time or later: a date, which begins at midnight UTC, or a ' +
        'time with its zone, such as 2026-01-02T10:00:00Z. Pages that say nothing are left out.',
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
  cards: Type.Optional(Type.Boolean({ default: false, description: CARDS })),
  rank: Type.Optional(
    Type.Enum(['score', 'similarity'], {
      default: 'score',
      description:
        'score: by similarity and by how near the neighbors of a page are too. similarity: by similarity alone. Copies, lists by links, and indexes of the printed profile, are listed by similarity either way.',
    }),
  ),
  explain: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Adds `why`: the shared terms and their shares of the overlap, or the links in common. Copies have none: POST /compare shows what they share.',
    }),
  ),
};

export const clustering = (more: string) =>
  Type.String({
    maxLength: 20,
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

const missing = (usual: '200' | '404') =>
  Type.Enum(['200', '404'], {
    default: usual,
    description:
      'Status for a page that is not in the index: 404, or 200 with an empty list, which a browser does not report as an error.',
  });

export const RelatedParameters = Type.Object({
  url: pageUrl,
  ...pageNarrowing,
  missing: Type.Optional(missing('404')),
  cursor: Type.Optional(cursor),
});

const { explain: _explain, exclude_copies: _excludeCopies, ...fragmentNarrowing } = pageNarrowing;

export const FragmentParameters = Type.Object({
  url: pageUrl,
  ...fragmentNarrowing,
  exclude_copies: Type.Optional(
    Type.Boolean({ description: `${EXCLUDE_COPIES} By default true, except for by=${COPY.name}.` }),
  ),
  heading: Type.Optional(
    Type.String({
      maxLength: 200,
      default: 'Related pages',
      description: 'Heading of the section; an empty one leaves it out.',
    }),
  ),
  missing: Type.Optional(missing('200')),
});

export const BatchBody = Type.Object(
  {
    urls: Type.Array(Type.String({ maxLength: MAX_URL_CHARS }), {
      minItems: 1,
      maxItems: 100,
      description: 'The pages; the results come in their order.',
    }),
    group: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Adds `groups`: which of the pages are copies of each other, as POST /group says.',
      }),
    ),
    ...pageNarrowing,
  },
  {
    additionalProperties: false,
    examples: [{ urls: [...EXAMPLE_PAGES], limit: 3 }],
  },
);

export const FeedbackBody = Type.Object(
  {
    url: pageUrl,
    related_url: Type.String({
      format: 'uri',
      minLength: 1,
      maxLength: MAX_URL_CHARS,
      description: 'The page that is judged: one of its list, or one that should be.',
      examples: [EXAMPLE_PAGES[1]],
    }),
    judgement: Type.Enum([...JUDGEMENTS], {
      description: 'better: it should stand higher, or be in the list at all. worse: it should stand lower.',
    }),
    by: Type.Optional(by),
  },
  {
    additionalProperties: false,
    examples: [{ url: EXAMPLE_PAGES[0], related_url: EXAMPLE_PAGES[1], judgement: 'better' }],
  },
);

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
  /** As `cardDate` reads it. */
  readonly published_after?: string;
  readonly lang?: string;
  readonly rank: 'score' | 'similarity';
  readonly explain: boolean;
  readonly cards: boolean;
  /** For pages of the index. */
  readonly clustering?: string;
}

/** A list of which nothing is asked but its relation and its length: the defaults. */
export const PLAIN_LIST: Omit<Narrowing, 'by' | 'limit'> = {
  min_similarity: 0,
  same_site: 'include',
  exclude: [],
  exclude_linked: false,
  exclude_copies: false,
  fetched: 'include',
  rank: 'score',
  explain: false,
  cards: false,
};

export type RelatedQuery = Narrowing & {
  readonly url: string;
  readonly cursor?: string;
  readonly missing: '200' | '404';
};
export type FragmentQuery = Omit<Narrowing, 'explain' | 'exclude_copies'> & {
  readonly url: string;
  readonly exclude_copies?: boolean;
  readonly heading: string;
  readonly missing: '200' | '404';
};
export type BatchQuery = Narrowing & { readonly urls: readonly string[]; readonly group: boolean };
export type FeedbackQuery = {
  readonly url: string;
  readonly related_url: string;
  readonly judgement: (typeof JUDGEMENTS)[number];
  readonly by: RelationName;
};
