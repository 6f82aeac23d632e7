/** The bits of an element: see `elements.ts`. Constants alone, as the kernel is compiled with them, too. */

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
export const FRAME = 14;

/** How what follows the start tag is read: `element & CONTENT`, 0 for markup. */
export const CONTENT = 7 << 4;
/** Text up to the end tag. */
export const RAW_TEXT = 1 << 4;
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
export const SERIAL_SHIFT = 13;
