/**
 * What each element means to the reader of a page, as one number: what it does to the text, how the scanner
 * reads what it holds, how it stands to svg and math. Elements not named here are inline and are 0.
 */

/** What the element does to the text: `element & KIND`. */
export const KIND = 15;
/** The element and all in it say nothing. */
export const SILENT = 1;
/** A line break before and after. */
export const BLOCK = 2;
/** A space before and after. */
export const SPACED = 3;
export const ANCHOR = 4;
export const AREA = 5;
export const IMAGE = 6;
export const META = 7;
export const LINK = 8;
export const BASE = 9;
export const HTML = 10;
export const TITLE = 11;
export const TIME = 12;
/** Around a part of a page that has a weight. */
export const WEIGHT = 13;

/** How what follows the start tag is read: `element & CONTENT`, 0 for markup. */
export const CONTENT = 7 << 4;
/** Text up to the end tag. */
const RAW_TEXT = 1 << 4;
/** The same, with character references. */
export const RCDATA = 2 << 4;
/** Raw text in which `<!-- <script>` hides an end tag. */
export const SCRIPT_DATA = 3 << 4;
/** Text up to the end of the page. */
export const PLAIN_TEXT = 4 << 4;

/** svg and math. */
export const FOREIGN_ROOT = 1 << 7;
/** The start tag ends an svg or math that was never closed. */
export const ENDS_FOREIGN = 1 << 8;
/** So does the end tag. */
export const END_ENDS_FOREIGN = 1 << 9;
/** In svg the element holds HTML again. */
export const HOLDS_HTML_IN_SVG = 1 << 10;
/** In math it does. */
export const HOLDS_HTML_IN_MATH = 1 << 11;

/** A heading: h1 to h6. */
export const HEADING = 1 << 12;

/** Numbers of listed elements differ from here on, whatever else they have in common. */
const SERIAL_SHIFT = 13;

const NAMES: readonly (readonly [bits: number, names: string])[] = [
  [SILENT, 'script style template noscript iframe noframes noembed svg'],
  [
    BLOCK,
    'address article aside blockquote body br button canvas caption center dd details dialog dir div dl dt',
  ],
  [
    BLOCK,
    'fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr legend li',
  ],
  [
    BLOCK,
    'listing main map menu nav object ol optgroup option p plaintext pre search section select summary',
  ],
  [BLOCK, 'table tbody td textarea tfoot th thead tr ul video audio xmp'],
  [SPACED, 'input'],
  [ANCHOR, 'a'],
  [AREA, 'area'],
  [IMAGE, 'img image'],
  [META, 'meta'],
  [LINK, 'link'],
  [BASE, 'base'],
  [HTML, 'html'],
  [TITLE, 'title'],
  [TIME, 'time'],
  [WEIGHT, 'akin-weight'],
  [RAW_TEXT, 'style noscript iframe noframes noembed xmp'],
  [RCDATA, 'title textarea'],
  [SCRIPT_DATA, 'script'],
  [PLAIN_TEXT, 'plaintext'],
  [FOREIGN_ROOT, 'svg math'],
  [
    ENDS_FOREIGN,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li',
  ],
  [ENDS_FOREIGN, 'listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'],
  [END_ENDS_FOREIGN, 'br p'],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [HOLDS_HTML_IN_SVG, 'foreignobject desc title'],
  [HOLDS_HTML_IN_MATH, 'mi mo mn ms mtext'],
];

const ELEMENTS = new Map<string, number>();
for (const [bits, names] of NAMES) {
  for (const name of names.split(' ')) {
    ELEMENTS.set(name, bits | (ELEMENTS.get(name) ?? (ELEMENTS.size + 1) << SERIAL_SHIFT));
  }
}

/** @param name in lower case. */
export function elementOf(name: string): number {
  return ELEMENTS.get(name) ?? 0;
}

export function elementNames(): Iterable<string> {
  return ELEMENTS.keys();
}
