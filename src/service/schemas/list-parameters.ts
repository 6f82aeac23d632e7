/** The parameters of the routes that list pages related to a page of the index. */
import { Type } from 'typebox';
import { COPY } from '../../relations/copy.ts';
import type { RelationName } from '../../relations/relations.ts';
import { JUDGEMENTS } from '../../store/feedback-log.ts';
import { by, cursor, MAX_URL_CHARS, pageUrl } from './common-parameters.ts';
import { EXAMPLE_PAGES } from './fields.ts';
import { EXCLUDE_COPIES, LIST_FILTERS } from './list-filters.ts';
import { type Asked, plainOf, propertiesOf } from './parameter.ts';

/** What a list of related pages is narrowed by, defaults filled in. */
export type Narrowing = Asked<typeof LIST_FILTERS>;

/** A list of which nothing is asked. */
export const PLAIN_LIST: Narrowing = plainOf(LIST_FILTERS);

const pageNarrowing = propertiesOf(LIST_FILTERS);

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
    Type.Boolean({
      description: `${EXCLUDE_COPIES} By default true, except for by=${COPY.name}.`,
    }),
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
