/** What is posted. */
import type { Static } from 'typebox';
import { PARTS } from '../../../features/parts.ts';
import { LEAST_DIMENSIONS, MAX_DIMENSIONS, MAX_VECTORS } from '../../../features/vectors.ts';
import { Type } from '../../../lib/json-schema.ts';
import { COPY } from '../../../relations/copy.ts';
import type { RelationName } from '../../../relations/relations.ts';
import { JUDGEMENTS } from '../../../store/feedback-log.ts';
import { closed, EXAMPLE_PAGES, share } from '../fields.ts';
import { propertiesOf } from '../parameter.ts';
import { by, MAX_URL_CHARS, NEAR_FORM, NEAR_LANG_FORM, pageUrl, urlText } from './common-parameters.ts';
import { LIST_FILTERS } from './list-filters.ts';
import type { Narrowing } from './list-parameters.ts';

/** A document is given once. */
const ONE_DOCUMENT = { additionalProperties: false, not: { required: ['html', 'text'] } };

/** What groups of features and vectors are called. */
const GROUP_PATTERN = `^(?!(${PARTS.join('|')}|constructor)$)[a-z][a-z0-9_-]{0,31}$`;

/** Names and weights. */
const WEIGHTS = {
  propertyNames: { minLength: 1, maxLength: 200 },
  maxProperties: 10_000,
  additionalProperties: { type: 'number', minimum: 1e-9, maximum: 1e9 },
};

const DOCUMENT_EXAMPLES = [
  { title: 'Pruning roses', text: 'When to prune a rose, and how far back to cut its canes.' },
];

export const DocumentBody = Type.Object(
  {
    html: Type.Optional(Type.String({ description: 'The document as HTML.' })),
    text: Type.Optional(Type.String({ description: 'The document as plain text.' })),
    url: Type.Optional(
      urlText({
        description:
          'Alone: a page of the index. Beside html or text: the URL of the document, which is then not listed.',
      }),
    ),
    fields: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description:
          'Fields of your own beside html or text, as a JSONL record gives them: {"category": "tea"}. What field.NAME=same asks for; without them, those of the page that the document is known as.',
      }),
    ),
    title: Type.Optional(Type.String({ maxLength: 10_000, description: 'Wins over the title in the HTML.' })),
    lang: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'Language of the document, where the HTML does not say: de, or de-AT. By it words are reduced to their stems; without one as English ones.',
      }),
    ),
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
                propertyNames: { pattern: GROUP_PATTERN },
                maxProperties: 16,
                additionalProperties: { type: 'object', ...WEIGHTS },
              },
              WEIGHTS,
            ],
          },
        ],
        description:
          'Features of your own beside html or text, as a JSONL record gives them: {"tags": {"roses": 1}}, 10,000 at most. POST /similar weighs those of the groups that the index has a part for, and a page that the index knows keeps its own there where none are sent; POST /compare compares all.',
      }),
    ),
    vectors: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        maxProperties: MAX_VECTORS,
        propertyNames: { pattern: GROUP_PATTERN },
        additionalProperties: {
          anyOf: [
            {
              type: 'array',
              minItems: LEAST_DIMENSIONS,
              maxItems: MAX_DIMENSIONS,
              items: { type: 'number' },
            },
            { type: 'string', contentEncoding: 'base64' },
          ],
        },
        description:
          'Vectors of your own, alone or beside html or text, as a JSONL record gives them: {"minilm": [0.1, -0.2]}, or base64 of float32, little-endian. By by=meaning pages are listed whose vectors of the name are near. By by=topic they take part where lists of the index go by words and vectors (GET /index: blend); there a page that the index knows keeps its own where none is sent. Refused elsewhere.',
      }),
    ),
  },
  {
    ...ONE_DOCUMENT,
    examples: DOCUMENT_EXAMPLES,
  },
);

const { html, text, url, title, base_url, ...ofOwner } = DocumentBody.properties;

/** A document, or a page of the index by its URL, that a list is to be like or unlike. */
export const ExampleDocument = Type.Object(
  { html, text, url, title, base_url },
  { ...ONE_DOCUMENT, anyOf: ['html', 'text', 'url'].map((name) => ({ required: [name] })) },
);

const MAX_EXAMPLES = 10;

export const SimilarBody = Type.Object(
  {
    ...DocumentBody.properties,
    like: Type.Optional(
      Type.Array(ExampleDocument, {
        minItems: 1,
        maxItems: MAX_EXAMPLES,
        description:
          'In place of all else but unlike: examples of what is wanted, pages of the index by their URLs or documents as html or text. The list is nearest to the mean of all; the examples are not in it. Only for relations by words.',
      }),
    ),
    unlike: Type.Optional(
      Type.Array(ExampleDocument, {
        maxItems: MAX_EXAMPLES,
        description:
          'Beside like: examples of what is not wanted. The mean weight of their words is taken away; they are not in the list.',
      }),
    ),
  },
  {
    additionalProperties: false,
    not: {
      anyOf: [
        { required: ['html', 'text'] },
        {
          required: ['like'],
          anyOf: Object.keys(DocumentBody.properties).map((name) => ({ required: [name] })),
        },
        { required: ['unlike'], not: { required: ['like'] } },
      ],
    },
    examples: DOCUMENT_EXAMPLES,
  },
);

const { features, vectors } = ofOwner;
const COMPARED = { html, text, url, title, base_url, features, vectors };
/** A document, or a page of the index by its URL. */
export const CompareSide = Type.Object(
  {
    ...COMPARED,
    capture: Type.Optional(
      Type.String({
        maxLength: 300,
        description:
          'Beside `url` alone: the sweep whose text of the page is compared, as GET /history names it.',
      }),
    ),
  },
  {
    ...ONE_DOCUMENT,
    anyOf: ['html', 'text', 'url', 'features', 'vectors'].map((name) => ({ required: [name] })),
    description: 'As for POST /similar.',
  },
);

export const CompareBody = Type.Object(
  {
    a: CompareSide,
    b: CompareSide,
  },
  {
    additionalProperties: false,
    examples: [{ a: { url: EXAMPLE_PAGES[0] }, b: { title: 'Guide', text: 'When to prune a rose ...' } }],
  },
);

export const GroupResult = closed({
  url: Type.String({ maxLength: MAX_URL_CHARS }),
  text: Type.Optional(Type.String({ description: 'Compared in place of what the index holds.' })),
});

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
      share(
        'Least resemblance to the representative of a group; by default the one from which the index calls pages copies.',
      ),
    ),
    near: Type.Optional(NEAR_FORM),
    near_lang: Type.Optional(NEAR_LANG_FORM),
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
    ...propertiesOf(LIST_FILTERS),
  },
  {
    additionalProperties: false,
    examples: [{ urls: [...EXAMPLE_PAGES], limit: 3 }],
  },
);

const rulePages = (description: string, maxItems: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_URL_CHARS }), { maxItems, description }),
  );

export const ListRule = closed({
  url: Type.Optional(urlText({ description: 'The page whose lists it is for.' })),
  site: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'In place of url: for all pages of this registrable domain. With neither, for all pages.',
    }),
  ),
  pin: rulePages('Pages that come first, in this order, where no filter leaves them out.', 20),
  block: rulePages(
    'What is in no such list: a page by its URL, with a * at the end all whose URLs begin so, or a site. A * of a URL itself is written %2A.',
    100,
  ),
});

export const RulesBody = Type.Object(
  {
    rules: Type.Array(ListRule, {
      maxItems: 1000,
      description: 'All of them: what was there before is gone.',
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        rules: [{ url: EXAMPLE_PAGES[0], pin: [EXAMPLE_PAGES[1]] }, { block: ['https://example.net/old/*'] }],
      },
    ],
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
    by: Type.Optional(by.schema),
  },
  {
    additionalProperties: false,
    examples: [{ url: EXAMPLE_PAGES[0], related_url: EXAMPLE_PAGES[1], judgement: 'better' }],
  },
);

export type GivenRule = Readonly<Static<typeof ListRule>>;
export type GivenDocument = Static<typeof DocumentBody>;
export type GivenExample = Static<typeof ExampleDocument>;
export type BatchQuery = Narrowing & { readonly urls: readonly string[]; readonly group: boolean };
export type FeedbackQuery = {
  readonly url: string;
  readonly related_url: string;
  readonly judgement: (typeof JUDGEMENTS)[number];
  readonly by: RelationName;
};
