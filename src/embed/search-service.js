import { ask, endpointOf, shortened, titleOf, webUrl } from './asking.js';

/**
 * What the search asks, and of the answer what can be shown.
 *
 * @typedef {object} Found
 * @property {string} url http or https
 * @property {string} title
 * @property {string | null} published day, as the page says it
 * @property {[text: string, isMarked: boolean][]} passage
 *
 * @typedef {object} Facet
 * @property {'site' | 'lang'} name
 * @property {{ value: string, pages: number }[]} values most pages first
 *
 * @typedef {object} SearchResults
 * @property {number} total pages that have the words
 * @property {string | null} instead the words that were looked for, where some had a slip
 * @property {string | null} left words that did not count, as there are too many
 * @property {Facet[]} facets
 * @property {Found[]} results
 * @property {string | null} next
 *
 * @typedef {object} Question
 * @property {string} q
 * @property {string} site
 * @property {string} lang
 * @property {string} cursor
 */

const MOST_VALUES = 6;
const MOST_SUGGESTIONS = 6;

/**
 * Pages for words.
 *
 * @param {HTMLElement} element
 * @param {Question} question empty texts are not asked
 * @param {number} limit
 * @returns {Promise<SearchResults>}
 */
export async function resultsOf(element, question, limit) {
  const address = new URL('search', endpointOf(element));
  for (const [name, value] of Object.entries({ ...question, limit: String(limit) })) {
    if (value !== '') address.searchParams.set(name, value);
  }
  for (const field of element.getAttribute('field')?.split(/; */) ?? []) {
    address.searchParams.append('field', field);
  }
  for (const name of ['site', 'lang']) address.searchParams.append('facets', name);
  const answer = await ask(element, address, {});
  /** @type {Map<string, string>} */
  const corrected = new Map(
    answer.corrected.map((/** @type {Record<string, string>} */ one) => [one['word'], one['instead']]),
  );
  return {
    total: answer.total,
    instead:
      corrected.size === 0 ? null : question.q.replace(/\S+/g, (piece) => corrected.get(piece) ?? piece),
    left: answer.left_out ? shortened(answer.left_out.join(' ')) : null,
    facets: answer.facets.map(facetOf),
    results: answer.results.flatMap(foundOf),
    next: answer.next,
  };
}

/**
 * How the words may go on.
 *
 * @param {HTMLElement} element
 * @param {Question} question
 * @returns {Promise<string[]>}
 */
export async function suggestionsFor(element, { q, site }) {
  const address = new URL('search/suggest', endpointOf(element));
  address.searchParams.set('q', q);
  if (site !== '') address.searchParams.set('site', site);
  address.searchParams.set('limit', String(MOST_SUGGESTIONS));
  /** @type {{ suggestions: { text: string }[] }} */
  const { suggestions } = await ask(element, address, {});
  return suggestions.map(({ text }) => shortened(text)).filter((text) => text !== q);
}

/**
 * @param {{ name: 'site' | 'lang', values: { value: string | null, pages: number }[] }} facet
 * @returns {Facet}
 */
function facetOf({ name, values }) {
  const named = values.flatMap(({ value, pages }) => (value === null ? [] : [{ value, pages }]));
  return { name, values: named.slice(0, MOST_VALUES) };
}

/**
 * @param {{ url: string, title: string, published_at?: string | null, snippet: { text: string, marks: [number, number][] } }} result
 * @returns {Found[]}
 */
function foundOf({ url: given, title, published_at: published = null, snippet: { text, marks } }) {
  const url = webUrl(given);
  if (url === null) return [];
  /** @type {[string, boolean][]} */
  const passage = [];
  let end = 0;
  for (const [from, to] of marks) {
    passage.push([text.slice(end, from), false], [text.slice(from, to), true]);
    end = to;
  }
  passage.push([text.slice(end), false]);
  const shown = passage.map(
    ([part, isMarked]) => /** @type {[string, boolean]} */ ([shortened(part), isMarked]),
  );
  return [{ url, title: titleOf(title, url), published, passage: shown }];
}
