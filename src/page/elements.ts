/** What each element means to the text of a page. Elements not named here are inline and mean nothing. */

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

const BLOCKS = [
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'body',
    'br',
    'button',
    'canvas',
    'caption',
    'center',
    'dd',
  ],
  ...['details', 'dialog', 'dir', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['frameset', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'head', 'header', 'hgroup', 'hr', 'legend', 'li'],
  ...['listing', 'main', 'map', 'menu', 'nav', 'object', 'ol', 'optgroup', 'option', 'p', 'plaintext', 'pre'],
  ...['search', 'section', 'select', 'summary', 'table', 'tbody', 'td', 'textarea', 'tfoot', 'th', 'thead'],
  ...['tr', 'ul', 'video', 'audio', 'xmp'],
];

const SILENTS = ['script', 'style', 'template', 'noscript', 'iframe', 'noframes', 'noembed', 'svg'];

const KIND_BY_NAME = new Map<string, number>([
  ...BLOCKS.map((name) => [name, BLOCK] as const),
  ...SILENTS.map((name) => [name, SILENT] as const),
  ...[['input', SPACED] as const, ['a', ANCHOR] as const, ['area', AREA] as const, ['img', IMAGE] as const],
  ...[['image', IMAGE] as const, ['meta', META] as const, ['link', LINK] as const, ['base', BASE] as const],
  ...[['html', HTML] as const, ['title', TITLE] as const],
]);

/** 0 for inline elements. */
export function elementKind(name: string): number {
  return KIND_BY_NAME.get(name) ?? 0;
}

/** Start tags that end an svg which was never closed (HTML standard, "rules for foreign content"). */
const SVG_BREAKOUT = new Set([
  ...['b', 'big', 'blockquote', 'body', 'br', 'center', 'code', 'dd', 'div', 'dl', 'dt', 'em', 'embed', 'h1'],
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'head', 'hr', 'i', 'img', 'li', 'listing', 'menu', 'meta', 'nobr', 'ol'],
  ...[
    'p',
    'pre',
    'ruby',
    's',
    'small',
    'span',
    'strong',
    'strike',
    'sub',
    'sup',
    'table',
    'tt',
    'u',
    'ul',
    'var',
  ],
]);

export function endsSvg(name: string): boolean {
  return SVG_BREAKOUT.has(name);
}
