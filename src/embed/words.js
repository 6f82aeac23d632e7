/**
 * What the components say, in the language of the page.
 *
 * @typedef {import('./languages.js').Words} Words
 */

import { WORDS } from './languages.js';

/**
 * Words of the language that an element stands in; English where there are none.
 *
 * @param {Element} element
 * @returns {Words}
 */
export function wordsFor(element) {
  const tag = element.closest('[lang]:not([lang=same])')?.getAttribute('lang') ?? 'en';
  return /** @type {Words} */ (WORDS[tag.split(/[-_]/)[0]?.toLowerCase() ?? ''] ?? WORDS['en']);
}

/**
 * @param {Words} words
 * @param {number} count
 */
export function similarLabel({ one, similar }, count) {
  return (count === 1 ? (one ?? similar) : similar).replace('#', String(count));
}
