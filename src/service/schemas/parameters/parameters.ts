/** What is asked beside lists of related pages. */
import { Type } from '../../../lib/json-schema.ts';
import { conditionFault, parseCondition } from '../../../page/fields/field-condition.ts';
import { hostNamed } from '../../../url/site.ts';
import { EXAMPLE_BEGUN, EXAMPLE_CLUSTER, EXAMPLE_WORDS, NEWS, share } from '../fields.ts';
import { type Asked, type Must, optional, required, withDefault } from '../parameter.ts';
import {
  asLanguage,
  asSite,
  asUrl,
  clusteredBy,
  clustering,
  cursor,
  documentUrl,
  lang,
  limitOf,
  missing,
  NEAR_FORM,
  NEAR_LANG_FORM,
  page,
} from './common-parameters.ts';
import { fieldText, LIST_FILTERS } from './list-filters.ts';

/** Where no page is asked about, whose language could be meant. */
export const ONE_LANGUAGE = {
  ...lang,
  normal: (tag: string) => (tag === 'same' ? null : asLanguage.normal(tag)),
  must: ['must be a language: no page is asked about, so none is the same', 'such as en'],
} as const;

/** The same of its fields. */
export const ONE_FIELD = {
  ...LIST_FILTERS.field,
  schema: { ...LIST_FILTERS.field.schema, description: fieldText('') },
  normal: (text: string) => (parseCondition(text)?.tests ? text : null),
  must: (text: string): Must => {
    const condition = parseCondition(text);
    return condition === null
      ? [conditionFault(text), 'such as category=tea, tags=green,black or price=10..20']
      : ['no page is asked about, so nothing is the same', `${condition.name}=VALUE`];
  },
  flag: ['<NAME=VALUE...>', 'only pages with this field: category=tea, price=..20'] as const,
};

export const SEARCH = {
  q: required(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'What to look for: words, all of which a page must have; "a phrase"; -word for what it must not have; ' +
        'site:host for one site or host, or for all under a suffix (site:edu), -site:host for none of its pages; begin* for words that begin so. Of three letters or more, the last word stands ' +
        'for those that begin with it, too, unless a space follows, and so does each word of Hangul. A word that is on no page or hardly any is taken ' +
        'for the nearest one with a slip of one letter (from four letters) or two (from eight). In quotes words are as they ' +
        'are written. Case and accents do not count. The first 16 words and phrases count, and of hosts as many; `left_out` has the others.',
      examples: [EXAMPLE_WORDS],
    }),
  ),
  site: optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Lists only pages of this host and its subdomains, as site:host in `q` does; a suffix such as edu is no host here.',
    }),
    {
      normal: hostNamed,
      must: ['must be a host name', 'such as example.org'],
      flag: ['<HOST>', 'only pages of this host and its subdomains'],
    } as const,
  ),
  lang: ONE_LANGUAGE,
  field: ONE_FIELD,
  within: LIST_FILTERS.within,
  group: withDefault(
    'copies',
    Type.Enum(['copies', 'none'], {
      description: 'copies: of near copies only the best is listed, with their count.',
    }),
    { flag: ['<HOW>', 'copies folds near copies (default), none lists them'] as const },
  ),
  facets: withDefault(
    [],
    Type.Array(LIST_FILTERS.facets.schema.items, {
      maxItems: 64,
      description:
        'Counts the pages found by `site` and `lang`, and the best 1,000 of them by the values of fields: facets=site,category,price.',
    }),
    {
      isSplit: true,
      flag: ['<NAMES...>', 'count the pages found by these: site, lang, fields'] as const,
    },
  ),
  limit: limitOf('results to print'),
  cursor,
};

export const SITES = {
  name: optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Lists only sites with this in their names.' }),
  ),
  limit: limitOf('sites to print'),
  cursor,
};

export const SITE_PAGES = {
  site: required(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Registrable domain, as GET /sites names it.',
      examples: ['example.org'],
    }),
    asSite,
  ),
  lang: ONE_LANGUAGE,
  fetched: withDefault(
    'include',
    Type.Enum(['include', 'only'], { description: 'only: leaves out pages that are known by links alone.' }),
  ),
  limit: limitOf('pages to print'),
  cursor,
};

export const SUGGEST = {
  q: required(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What is typed so far, as in GET /search.',
      examples: [EXAMPLE_BEGUN],
    }),
  ),
  site: SEARCH.site,
  limit: withDefault(8, Type.Integer({ minimum: 1, maximum: 20, description: 'Suggestions at most.' })),
};

export const PAGE = { url: page };

const clusterings = clustering(
  'By default the first.',
  'for --by copy: one of the clusterings that akin show lists (default the first)',
);
const members = { limit: limitOf('members to print'), cursor };

export const CLUSTER = {
  url: page,
  by: clusteredBy,
  clustering: clusterings,
  near: optional(NEAR_FORM, {
    ...asUrl,
    flag: ['<URL>', 'of copies: name the one nearest to this URL'] as const,
  }),
  near_lang: optional(NEAR_LANG_FORM, {
    ...asLanguage,
    flag: ['<TAG>', 'of copies: name one in this language, of several the nearest'] as const,
  }),
  ...members,
};

export const CLUSTERS = {
  by: clusteredBy,
  sort: withDefault(
    'size',
    Type.Enum(['size', 'label'], {
      description: 'Largest first, or by label from A to Z.',
    }),
  ),
  fetched: withDefault(
    'include',
    Type.Enum(['include', 'only'], {
      description:
        'only: leaves out clusters around a page that is known by links alone; what holds these together is often one link text that a site repeats.',
    }),
  ),
  label: withDefault(
    '',
    Type.String({ maxLength: 100, description: 'Lists only clusters whose label has this in it.' }),
  ),
  examples: withDefault(
    0,
    Type.Integer({
      minimum: 0,
      maximum: 5,
      description: 'Members to name of each cluster, beside its center.',
    }),
  ),
  level: optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Of topics: 0, which is listed by default, is the finest; higher is broader.',
    }),
  ),
  clustering: clusterings,
  limit: limitOf('clusters to print'),
  cursor,
};

/** In the path. */
export const CLUSTER_ID = {
  id: required(
    Type.String({
      description: 'The id of the cluster, as an answer gave it.',
      examples: [EXAMPLE_CLUSTER],
    }),
  ),
};
export const CLUSTER_MEMBERS = members;

export const MOVED = {
  url: page,
  capture: optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'The sweep whose text of the page is sought, as GET /history names it. By default of a page that is in use the latest text that is not there any more, else the last.',
    }),
  ),
  min_containment: withDefault(
    0.2,
    share(
      'Least share of the lost text from which a page that holds it is a candidate without other evidence.',
    ),
    {
      flag: ['<X>', 'least share of the lost text that a page must hold, 0 to 1 (default 0.2)'] as const,
    },
  ),
  limit: limitOf('candidates to print'),
  cursor,
};

/** Whether a page that is not in the index is no error. */
export const MOVED_MISSING = { ...MOVED, missing: missing('404') };

/** For a 404 page: a few, and nothing where nothing is known. */
export const MOVED_HTML = {
  ...MOVED,
  limit: { ...MOVED.limit, schema: { ...MOVED.limit.schema, default: 3 }, plain: 3 },
  missing: missing('200'),
};

export const LOST = {
  min_containment: MOVED.min_containment,
  limit: limitOf('lost pages to print'),
  cursor,
};

export const CHANGES = {
  sweep: optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'A sweep as GET /index names it. By default the last.',
    }),
    { flag: ['<NAME>', 'only what this sweep brought'] as const },
  ),
  news: withDefault(
    [],
    Type.Array(Type.Enum([...NEWS]), {
      maxItems: NEWS.length,
      description:
        'Lists only pages with such news; by default with any. Several stand with commas between: news=minor,major.',
    }),
    { isSplit: true, flag: ['<KIND...>', `only such changes: ${NEWS.join(', ')}`] as const },
  ),
  limit: limitOf('pages to print'),
  cursor,
};

export const HISTORY = { url: page, limit: limitOf('captures to print, oldest first'), cursor };

export const COVER = {
  url: documentUrl,
  min_share: withDefault(0.02, share('Least share of the text that a page must add.'), {
    flag: ['<X>', 'least share of the text that a page must add, 0 to 1 (default 0.02)'] as const,
  }),
  limit: limitOf('pages to print'),
};

export const COMPARE = {
  include_text: withDefault(
    false,
    Type.Boolean({ description: 'Adds the texts that the offsets of the passages count in.' }),
  ),
};

export type SearchQuery = Asked<typeof SEARCH>;
export type SuggestQuery = Asked<typeof SUGGEST>;
export type ClusterQuery = Asked<typeof CLUSTER>;
export type ClusterListQuery = Asked<typeof CLUSTERS>;
export type MovedQuery = Asked<typeof MOVED>;
export type SitesQuery = Asked<typeof SITES>;
export type SitePagesQuery = Asked<typeof SITE_PAGES>;
export type ChangesQuery = Asked<typeof CHANGES>;
export type LostQuery = Asked<typeof LOST>;
export type CoverQuery = Asked<typeof COVER>;
export type CompareQuery = Asked<typeof COMPARE>;
/** What any paged list is asked by. */
export type ListQuery = Asked<typeof members>;
