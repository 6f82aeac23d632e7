/** Parameters that several routes take. */
import { Type } from '../../../lib/json-schema.ts';
import {
  CLUSTERED_RELATION_NAMES,
  DEFAULT_RELATION,
  RELATION_NAMES,
  type RelationName,
} from '../../../relations/relations.ts';
import { primarySubtag } from '../../../text/primary-subtag.ts';
import { wantedUrlText } from '../../../url/bad-url.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { siteNamed } from '../../../url/site.ts';
import { EXAMPLE_PAGES } from '../fields.ts';
import { type Must, optional, required, withDefault } from '../parameter.ts';

export const MAX_URL_CHARS = 4096;

/** A URL in a request. */
export function urlText<
  More extends { readonly description?: string; readonly examples?: readonly string[] },
>(more: More) {
  return Type.String({ format: 'uri', minLength: 1, maxLength: MAX_URL_CHARS, ...more });
}

/** How any URL of a question is read. */
export const asUrl = {
  normal: canonicalUrl,
  must: (text: string): Must => [`must be ${wantedUrlText(text)}`, wantedUrlText(text)],
} as const;

/** How a site is named. */
export const asSite = {
  normal: siteNamed,
  must: ['must be a registrable domain', 'such as example.org'],
} as const;

export const pageUrl = urlText({
  description: 'The page, as an absolute http or https URL. Normalized as at indexing; aliases are followed.',
  examples: [EXAMPLE_PAGES[0]!],
});
export const page = required(pageUrl, asUrl);

export const documentUrl = optional(
  urlText({
    description: "For a bare text/html or text/plain body: the document's own URL, which is then not listed.",
  }),
  asUrl,
);

/** What names of relations are asked by, on the command line. */
const relationFlag = (names: readonly RelationName[]) =>
  ['<RELATION>', `${names.join(', ')} (default ${DEFAULT_RELATION.name})`] as const;

export const by = withDefault(
  DEFAULT_RELATION.name,
  Type.Enum([...RELATION_NAMES], {
    description:
      'The relation asked about. An index holds one or more of them, and those by links where it has links; see GET /index.',
  }),
  { flag: relationFlag(RELATION_NAMES) },
);

export const clusteredBy = withDefault(
  DEFAULT_RELATION.name,
  Type.Enum([...CLUSTERED_RELATION_NAMES], {
    description: 'The relation asked about. Relations by links and by vectors have no clusters.',
  }),
  { flag: relationFlag(CLUSTERED_RELATION_NAMES) },
);

/** `listed` are what a list has, as the command line calls them. */
export const limitOf = (listed: string) =>
  withDefault(10, Type.Integer({ minimum: 1, maximum: 100, description: 'Length of the list at most.' }), {
    isView: true,
    flag: ['<N>', `${listed} (default 10, at most 100)`] as const,
  });

export const cursor = optional(
  Type.String({
    maxLength: 100,
    description:
      'The `next` of the answer before. Bound to the generation of the index: an older one gets 410.',
  }),
  { isView: true },
);

/** What pages are known by: `en` of `en-US`. */
export const asLanguage = { normal: (tag: string) => primarySubtag(tag) ?? tag.toLowerCase() };

export const lang = optional(
  Type.String({
    minLength: 2,
    maxLength: 35,
    description:
      'Lists only pages that say they are in this language. Only its primary subtag counts: en-US is asked as en.',
  }),
  {
    ...asLanguage,
    flag: ['<TAG>', 'only pages in this language'] as const,
  },
);

/** The reader for which the best of some copies is sought. */
export const NEAR_FORM = urlText({
  description:
    'Of copies the one nearest to this URL is named as `best`: on its site, else under the most equal last labels of the host, else with the most equal first parts of the path. A page that is lost is best only where all are.',
});
export const NEAR_LANG_FORM = Type.String({
  minLength: 2,
  maxLength: 35,
  description:
    'Of copies one in this language is named as `best`, of several the nearest to `near`. Only the primary subtag counts.',
});

export const clustering = (more: string, help: string) =>
  optional(
    Type.String({
      maxLength: 20,
      description:
        'For by=copy, one of the clusterings that GET /index names: 0.9 joins pages of that resemblance, 0.8c pages ' +
        `of which that share is in the other. ${more}`,
    }),
    { flag: ['<NAME>', help] as const },
  );

export const missing = (usual: '200' | '404') =>
  withDefault(
    usual,
    Type.Enum(['200', '404'], {
      description:
        'Status for a page that is not in the index: 404, or 200 with an empty answer, which a browser does not report as an error.',
    }),
    { isView: true },
  );
