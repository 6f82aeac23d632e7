/**
 * What a list of related pages is narrowed by, a row each: a row that is added here is there for every route that lists
 * pages, in their documentation, on the command line and in shards.
 */
import { Type } from '../../../lib/json-schema.ts';
import { cardDate, isPublishedBefore, isPublishedSince } from '../../../page/card/page-card.ts';
import {
  conditionFault,
  namesValues,
  parseCondition,
  testsOfValues,
} from '../../../page/fields/field-condition.ts';
import { FIELD_NAME_FORM, fieldValues, isFieldName } from '../../../page/fields/page-fields.ts';
import { wantedUrlText } from '../../../url/bad-url.ts';
import { FALLBACKS, flag, share } from '../fields.ts';
import { optional, withDefault } from '../parameter.ts';
import { freshAgeMs } from './boost.ts';
import { asSite, by, clustering, lang, limitOf, MAX_URL_CHARS } from './common-parameters.ts';
import { excludedForm, notExcluded, wantedExcluded } from './excluded.ts';
import { type FilterSubject, judge, type ListFilter, notAmong } from './list-filter.ts';

export const EXCLUDE_COPIES =
  'Leaves out near copies of the page itself and of pages further up in the list: copies that resemble it at 0.9 or ' +
  'more, and copies of the same title on the same site. A page is compared with the first 16 of its cluster that are listed. An index built without copies knows none.';

const ofList = { judge: null };
const fieldName = (name: string) => (isFieldName(name) ? name : null);
const EXCLUDED = 'an absolute http or https URL, the beginning of one with a * at its end alone, or a domain';
const HOW_SITE = ['include', 'exclude', 'only'] as const;

/** A time of no zone would be asked as the whole day that it names. */
const askedDate = (text: string) => {
  const date = cardDate(text);
  return date === null || (date.length < text.trim().length && !date.includes('T')) ? null : date;
};

/** What conditions on fields are, with what else may stand among their forms. */
export const fieldText = (more: string) =>
  'Lists only pages with such a field, each NAME=VALUE, all of which must hold: category=tea; tags=green,black for any of these; price=10..20, price=..20 or ' +
  `day=2024-05-01.. for numbers and dates, ends included${more}. A \\ before a character ` +
  'takes its meaning from it. In an address it is field.category=tea, too. Of a name that was not declared when the index was built, ' +
  'the fields of all pages may have to be read.';

/** A condition as each page is judged by it. */
async function wantedField(text: string, subject: FilterSubject) {
  const { name, tests } = parseCondition(text)!;
  return { name, tests: tests ?? testsOfValues(fieldValues(await subject.fields(), name)) };
}

/** In the order in which pages are judged: what costs least first. */
export const LIST_FILTERS = {
  by: { ...by, ...ofList },
  limit: { ...limitOf('results to print'), ...ofList },
  min_similarity: withDefault(
    0,
    share('Leaves out pages less similar than this. Refused for a relation of scores.'),
    { ...ofList, flag: ['<X>', 'leave out less similar pages, 0 to 1'] },
  ),
  same_site: withDefault(
    'include',
    Type.Enum([...HOW_SITE], {
      description: 'Whether pages of the same site (registrable domain) are listed.',
    }),
    {
      ...judge(
        async (how: (typeof HOW_SITE)[number], subject) => ({
          name: await subject.site(),
          isSame: how === 'only',
        }),
        ({ name, isSame }, pages) => {
          const site = name === null ? -1 : pages.findSite(name);
          return (pageId) => (pages.site(pageId) === site) === isSame;
        },
      ),
      flag: ['<HOW>', 'include, exclude or only'],
    },
  ),
  site: optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Lists only pages of this site (registrable domain).',
    }),
    {
      ...judge(
        (name: string) => name,
        (name, pages) => {
          const site = pages.findSite(name);
          return (pageId) => site >= 0 && pages.site(pageId) === site;
        },
      ),
      ...asSite,
      flag: ['<SITE>', 'only pages of this site'],
    },
  ),
  max_per_site: optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Pages of one site in the list at most.' }),
    { ...ofList, flag: ['<N>', 'at most this many results of one site'] },
  ),
  exclude: withDefault(
    [],
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_URL_CHARS }), {
      maxItems: 100,
      description:
        'A page that must not be listed, by its URL; with a * at the end all whose URLs begin so; or a site (registrable domain). A * of a URL itself is written %2A. Repeat it for several.',
    }),
    {
      ...judge(wantedExcluded, notExcluded),
      normal: excludedForm,
      must: (text: string) => [`must be ${wantedUrlText(text, EXCLUDED)}`, wantedUrlText(text, EXCLUDED)],
      flag: ['<URL...>', 'leave these out: pages, https://host/path* for all that begin so, or a site'],
    },
  ),
  exclude_linked: withDefault(
    false,
    Type.Boolean({ description: 'Leaves out what the page links to already.' }),
    {
      ...judge(async (_asked: boolean, subject) => [...(await subject.links())], notAmong),
      flag: ['', 'leave out pages that the page links to'],
    },
  ),
  exclude_copies: withDefault(false, Type.Boolean({ description: EXCLUDE_COPIES }), {
    ...ofList,
    flag: ['', 'leave out near copies of the page and of pages further up'],
  }),
  fetched: withDefault(
    'include',
    Type.Enum(['include', 'only'], {
      description: 'only: leaves out pages that are known by links alone, whose text was never read.',
    }),
    {
      ...judge(
        (which: 'include' | 'only') => which,
        (_only, pages) => (pageId) => pages.fetched(pageId),
      ),
      flag: ['<WHICH>', 'include (default), or only: leave out pages known by links alone'],
    },
  ),
  lang: {
    ...lang,
    schema: {
      ...lang.schema,
      description:
        'Lists only pages in this language, or with `same` in that of the page asked about, and those that do not say in which they are. Only its primary subtag counts: en-US is asked as en.',
    },
    ...judge(
      (tag: string, subject) => (tag === 'same' ? subject.lang() : tag),
      (tag, pages) => (pageId) => tag === null || (pages.lang(pageId) ?? tag) === tag,
    ),
    flag: ['<TAG>', 'only pages in this language, or with same in that of the page itself'],
  },
  published_after: optional(
    Type.String({
      minLength: 10,
      maxLength: 35,
      description:
        'Lists only pages that say they were published at this time or later: a date, which begins at midnight UTC, or a ' +
        'time with its zone, such as 2026-01-02T10:00:00Z. Pages that say nothing are left out.',
    }),
    {
      ...judge(
        (date: string) => date,
        (date, pages) => (pageId) => isPublishedSince(pages.card(pageId), date),
        'cards',
      ),
      normal: askedDate,
      must: ['must be a date, or a time with its zone', 'such as 2026-01-02 or 2026-01-02T10:00:00Z'],
      flag: ['<DATE>', 'only pages published on this date or later'],
    },
  ),
  published_before: optional(
    Type.String({
      minLength: 4,
      maxLength: 35,
      description:
        'Lists only pages that say they were published before this time, or with `page` before the page asked about: lists of pages that are published later do not change them. Pages that say nothing are left out.',
    }),
    {
      ...judge(
        async (date: string, subject) => (date === 'page' ? subject.publishedAt() : date),
        (date, pages) => (pageId) => date !== null && isPublishedBefore(pages.card(pageId), date),
        'cards',
      ),
      normal: (text: string) => (text === 'page' ? text : askedDate(text)),
      must: [
        'must be page, a date, or a time with its zone',
        'such as page, 2026-01-02 or 2026-01-02T10:00:00Z',
      ],
      flag: ['<DATE>', 'only pages published before this date, or with page before the page itself'],
    },
  ),
  field: withDefault(
    [],
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      maxItems: 16,
      description: fieldText('; category=same for what the page asked about has'),
    }),
    {
      ...judge(
        (asked: readonly string[], subject) => Promise.all(asked.map((text) => wantedField(text, subject))),
        (wanted, pages) => {
          const tests = wanted.map(({ name, tests }) => pages.hasField(name, tests));
          return (pageId) => tests.every((has) => has(pageId));
        },
        'fields',
      ),
      isNamed: true,
      normal: (text: string) => (parseCondition(text) === null ? null : text),
      must: (text: string) => [
        conditionFault(text),
        'such as category=tea, tags=green,black, price=10..20 or category=same',
      ],
      flag: ['<NAME=VALUE...>', 'only pages with this field: category=tea, price=..20, category=same'],
    },
  ),
  within: optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'NAME=VALUE: lists only pages with this field, and the page asked about must have it, too: any other is answered as one that is not in the index, and nothing is said of pages without it. So tenants share one index.',
    }),
    {
      ...judge(
        (text: string) => ({ ...parseCondition(text)!, tests: parseCondition(text)!.tests! }),
        ({ name, tests }, pages) => pages.hasField(name, tests),
        'fields',
      ),
      normal: (text: string) => (namesValues(text) ? text : null),
      must: (text: string) => [conditionFault(text), 'such as tenant=acme'],
      flag: ['<NAME=VALUE>', 'only pages with this field, and only a page with it is asked about'],
    },
  ),
  clustering: {
    ...clustering(
      'Lists the pages of its cluster, however much they resemble it, at most the 1,000 nearest to the center; ' +
        'without it, the pages that resemble it.',
      'with --by copy: the pages of its cluster, in a clustering that akin show lists',
    ),
    ...ofList,
  },
  vector: optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description:
        'For by=meaning: of which vectors, by their name; GET /index names those of the index. It may be left out where the index has vectors of one name alone.',
    }),
    { ...ofList, flag: ['<NAME>', 'with --by meaning: the name of the vectors, where there are several'] },
  ),
  cards: withDefault(
    false,
    flag(
      'Adds what a page says of itself: image, description, published_at, modified_at, each where it says it; its fields; and passage, how its own text begins, where it has no description.',
    ),
    { ...ofList, isView: true },
  ),
  boost: optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'fresh:30d lists fresh pages further up: the first 32 pages are ordered by similarity times freshness, which is 1 until a tenth of this age (h, d, w or y), .5 at the age, and .5 for a page that does not say when it was published. Ages count back from the time of the index. `score` has the product; similarity stays. Only for relations by words.',
    }),
    {
      ...ofList,
      normal: (text: string) => (freshAgeMs(text) === null ? null : text),
      must: ['must be fresh: and an age', 'such as fresh:30d, fresh:12h, fresh:2w or fresh:1y'],
      flag: ['<fresh:AGE>', 'list fresh pages further up: fresh:30d halves what a page of 30 days counts'],
    },
  ),
  diversity: withDefault(
    0,
    share(
      'Above 0, the first 32 pages are ordered such that each differs from those before it: the next one has the greatest (1 - diversity) times similarity less diversity times its similarity to the most similar page before it. Only for relations by words.',
    ),
    { ...ofList, flag: ['<X>', 'order pages so that they differ from one another, 0 to 1'] },
  ),
  fallback: withDefault(
    'none',
    Type.Enum([...FALLBACKS, 'none'], {
      description:
        'Fills the list up to limit where fewer pages are related, behind them and each marked `fallback`. site: with pages of the same site, first those of the same host whose URLs share the most leading characters with that of the page. recent: with the latest published pages, then those of the latest sweep that do not say when they were. The filters hold for them, and none is a near copy of the page or of one that is listed. Refused for by=copy.',
    }),
    {
      ...ofList,
      flag: ['<WHICH>', 'fill a short list: site (pages near by URL), recent (new pages) or none'],
    },
  ),
  fields: withDefault(
    [],
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 64,
      description:
        'Adds these fields of each page, where it has them, in place of all that `cards` adds. Several stand with commas between: fields=price,category.',
    }),
    {
      ...ofList,
      isView: true,
      isSplit: true,
      normal: fieldName,
      must: ['must be names of fields', FIELD_NAME_FORM],
      flag: ['<NAMES...>', 'show these fields of the pages'],
    },
  ),
  facets: withDefault(
    [],
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 64,
      description:
        'Counts the values of these fields on the first 100 pages of the list, which takes as long as such a list. Several stand with commas between.',
    }),
    {
      ...ofList,
      isView: true,
      isSplit: true,
      normal: fieldName,
      must: ['must be names of fields', FIELD_NAME_FORM],
      flag: ['<NAMES...>', 'count the values of these fields on the first 100 pages of the list'],
    },
  ),
  rank: optional(
    Type.Enum(['score', 'similarity'], {
      description:
        'score: by similarity and by how near the neighbors of a page are too; by default, unless same_site=exclude or site= leaves out the site of the page. similarity: by similarity alone, which is of words where an index goes by words and vectors (GET /index: blend); a list that is not by score for its site is by both there. Copies, lists by links, and indexes of the printed profile, are listed by similarity either way.',
    }),
    { ...ofList, flag: ['<ORDER>', 'score or similarity (default where the own site is left out)'] },
  ),
  explain: withDefault(
    false,
    flag(
      'Adds `why`: the shared terms and their shares of the overlap, or the links in common. Copies have none: POST /compare shows what they share.',
    ),
    { ...ofList, isView: true, flag: ['', 'name the terms that both pages share, or the links'] },
  ),
} as const satisfies Readonly<Record<string, ListFilter>>;
