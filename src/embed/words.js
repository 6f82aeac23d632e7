/**
 * What the components say, in the language of the page.
 *
 * @typedef {import('./languages.js').Words} Words
 */

import { languageOf } from './elements.js';
import { WORDS } from './languages.js';

/**
 * Words of the language that an element stands in; English where there are none.
 *
 * @param {Element} element
 * @returns {Words}
 */
export function wordsFor(element) {
  return /** @type {Words} */ (WORDS[languageOf(element)] ?? WORDS['en']);
}

/**
 * @param {Words} words
 * @param {number} count
 */
export function similarLabel({ one, similar }, count) {
  return (count === 1 ? (one ?? similar) : similar).replace('#', String(count));
}
