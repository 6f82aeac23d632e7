/**
 * AssemblyScript, SIMD: a page of HTML to tokens, and to its tidied text with links and headings.
 *
 *   begin      takes the page that stands in memory
 *   nextToken  the next token, as offsets into the page
 *   findAttribute, readAttributeAt   the attributes of the tag just read
 *   readPage   reads on to what the kernel cannot do by itself, or to the end
 *   readJsonString   a string as JSON writes it to a page in memory
 *   tidyLines  plain text to tidied text
 *
 * Rebuild: `node scripts/build-kernels.mjs`. Memory is imported; nothing is allocated here.
 */
// @ts-nocheck: compiled by asc, not by tsc.

export { findAttribute, readAttributeAt } from './html/attributes';
export { addElement } from './html/elements';
export { closeForeign, openForeign, startForeign } from './html/foreign';
export { readJsonString } from './html/json-string';
export { closePage, readPage, silence, tidyLines, watchScript } from './html/read-page';
export { begin, nextToken } from './html/scanner';
export { narrowUnits } from './html/units';
