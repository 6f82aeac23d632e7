import { countedParts, formatParts, PARTS_FORM, type PartShares, parseParts } from '../../features/parts.ts';
import { FIELDS_FORM, formatDeclared, parseDeclared } from '../../page/fields/declared-fields.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import { sortedStopWords } from '../../text/stop-words.ts';
import { bytes, file, fraction, integer, MIB, selector, toggle } from './kinds.ts';
import { knobs, PerProfile } from './knob.ts';

/** How pages are read and their words counted. */
export const READING_ROWS = knobs('Pages and their words:', {
  parts: {
    default: PerProfile.from('profile', TOPIC_PROFILES, ({ parts }) => parts),
    placeholder: 'SHARES',
    allowed: PARTS_FORM,
    unit: '',
    doc: 'what a page is described by, and how much of its weight each part gets; content alone: --parts content',
    parse: parseParts,
    written: formatParts,
    oneMachine: (parts: PartShares) => (parts['bigram'] === undefined ? null : '--parts with bigram'),
  },
  maxPageBytes: bytes({
    word: 'max-page',
    default: 10 * MIB,
    min: 1024,
    max: 128 * MIB,
    doc: 'larger pages are skipped and counted; while a page is read it takes some 24 times its bytes, above --memory',
  }),
  stopWords: file<string>({
    placeholder: 'FILE',
    doc: 'stop words, one a line, instead of the built-in list',
    stored: {
      write: (words: string | null) => (words === null ? null : sortedStopWords(words)),
      read: ({ parameters }) => (parameters['stop_words'] as string[] | null)?.join('\n') ?? null,
    },
  }),
  body: selector({
    doc: 'only these elements of a page count; a page with data-akin-body counts as it says, one with neither whole',
  }),
  ignore: selector({
    doc: 'these elements of a page do not count, as if they had data-akin-ignore',
  }),
  windowWords: integer({
    word: 'window',
    isRare: true,
    default: 8,
    min: 0,
    max: 100,
    unit: 'words',
    doc: 'words before and after a link that describe its target; 0 keeps only the link text',
    off: [{ beside: 'parts', at: (parts: PartShares) => !countedParts(parts).links }],
  }),
});

/** Which words become features. */
export const FREQUENCY_ROWS = knobs(READING_ROWS.parts.group, {
  minPageCount: integer({
    word: 'min-df',
    default: 2,
    min: 1,
    max: 1_000_000,
    unit: 'pages',
    doc: 'words on fewer pages are dropped; 1 keeps all',
  }),
  maxPageShare: fraction({
    word: 'max-df',
    default: PerProfile.from('profile', TOPIC_PROFILES, ({ maxPageShare }) => maxPageShare),
    doc: 'words on a larger share of the pages are dropped; 1 keeps all',
  }),
});

/** How pages are shown, and found by their words. */
export const DISPLAY_ROWS = knobs('What is shown:', {
  fields: {
    default: {},
    placeholder: 'NAMES',
    allowed: FIELDS_FORM,
    unit: '',
    doc: 'fields of pages by which lists are narrowed at no cost, such as category,price:number,day:date',
    parse: parseDeclared,
    written: formatDeclared,
  },
  search: toggle({
    default: true,
    doc: 'leave out the search by words; an index without texts has none',
    stored: {
      write: (search, { copies, keepText }) => search === true && copies === true && keepText === true,
    },
  }),
  keepTitles: toggle({
    default: false,
    doc: 'show titles whole: without it, what all titles of a host share (its name, mostly) is cut from them',
  }),
});
