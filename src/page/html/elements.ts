/**
 * What each element means to the reader of a page, as one number: what it does to the text, how the scanner
 * reads what it holds, how it stands to svg and math. Elements not named here are inline and are 0.
 */

import {
  ANCHOR,
  AREA,
  BASE,
  BLOCK,
  END_ENDS_FOREIGN,
  ENDS_FOREIGN,
  FOREIGN_ROOT,
  FRAME,
  HEADING,
  HOLDS_HTML_IN_MATH,
  HOLDS_HTML_IN_SVG,
  HTML,
  IMAGE,
  LINK,
  META,
  PLAIN_TEXT,
  RAW_TEXT,
  RCDATA,
  SCRIPT_DATA,
  SERIAL_SHIFT,
  SILENT,
  SPACED,
  TIME,
  TITLE,
  WEIGHT,
} from './element-bits.ts';

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
  [FRAME, 'frame'],
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
