import { ask, endpointOf, shortened, siteOf, titleOf, webUrl } from './asking.js';

/**
 * What the components ask about pages, and of the answer what can be shown.
 *
 * @typedef {object} Item
 * @property {string} url http or https
 * @property {string} title
 * @property {string} site host of the URL
 * @property {string} part what a style sheet knows it by
 * @property {string | undefined} [image]
 * @property {string | undefined} [description]
 * @property {string | undefined} [published_at]
 * @property {string | undefined} [why] words that it shares with the page
 *
 * @typedef {object} Place where a lost page may be
 * @property {string} url http or https
 * @property {string} title
 * @property {string} strength now_at, parts_in or perhaps
 * @property {string | null} passage of the lost text
 * @property {string | null} seen
 *
 * @typedef {object} Answer
 * @property {Item[][]} lists related pages, one list for each URL asked about
 * @property {number[][]} groups positions among the URLs; the first of a group stands for the others
 */

const MOST_WORDS = 4;

/** Attributes that narrow or order a list. */
export const NARROWING = [
  'by',
  'same-site',
  'lang',
  'field',
  'boost',
  'diversity',
  'published-before',
  'fallback',
];

/**
 * Pages related to one page: a GET, which caches may answer.
 *
 * @param {HTMLElement} element
 * @param {string} url
 * @param {number} limit
 * @returns {Promise<Item[]>}
 */
export async function relatedTo(element, url, limit) {
  return itemsOf(await get(element, 'related', { url, limit, ...parametersOf(element) }));
}

/**
 * Pages related to each of a list of pages, and which of these are copies of each other: one call for all.
 *
 * @param {HTMLElement} element
 * @param {string[]} urls at most 100
 * @param {number} limit of each list
 * @returns {Promise<Answer>}
 */
export async function relatedToAll(element, urls, limit) {
  const json = JSON.stringify({ urls, limit, ...parametersOf(element), exclude: urls, group: true });
  const body = new Blob([json], { type: 'application/json' });
  const answer = await ask(element, new URL('related/batch', endpointOf(element)), { method: 'POST', body });
  /** @type {{ results: object[], groups?: { members: { rank: number }[] }[] | null }} */
  const { results, groups } = answer;
  return {
    lists: results.map(itemsOf),
    groups: groups?.map(({ members }) => members.map(({ rank }) => rank)) ?? [],
  };
}

/**
 * Where the text of a page is now, likeliest first; nothing where that is not known.
 *
 * @param {HTMLElement} element
 * @param {string} url
 * @param {number} limit
 * @returns {Promise<Place[]>}
 */
export async function movedTo(element, url, limit) {
  /** @type {{ candidates: Record<string, any>[] }} */
  const { candidates } = await get(element, 'moved', { url, limit });
  const there = candidates.filter(({ strength }) => strength !== 'gone');
  const listed = new Set(there.map((page) => page['url']));
  return candidates.flatMap((page) => {
    const { now_at: nowAt } = page;
    // What is lost itself leads on, several perhaps to one place.
    const { title, strength, passage, ...place } = nowAt ? { ...nowAt, strength: 'perhaps' } : page;
    const url = webUrl(place.url);
    if (url === null || strength === 'gone' || (nowAt && listed.has(place.url))) return [];
    listed.add(place.url);
    return {
      url,
      title: titleOf(title, url),
      strength,
      passage: passage ? shortened(passage) : null,
      seen: place.last_seen?.fetched_at ?? null,
    };
  });
}

/**
 * The answer about one page; an empty one where it is not in the index.
 *
 * @param {HTMLElement} element
 * @param {string} path
 * @param {object} parameters
 */
function get(element, path, parameters) {
  const address = new URL(path, endpointOf(element));
  for (const [name, values] of Object.entries({ ...parameters, missing: 200 })) {
    for (const value of [values].flat()) address.searchParams.append(name, String(value));
  }
  return ask(element, address, {});
}

/** @param {HTMLElement} element */
function parametersOf(element) {
  /** @type {Record<string, string | number | boolean | string[]>} */
  const parameters = {
    fetched: 'only',
    cards: element.hasAttribute('cards') || element.querySelector(':scope > template') !== null,
    explain: element.hasAttribute('why'),
    exclude_copies: element.getAttribute('by') !== 'copy',
  };
  for (const attribute of NARROWING) {
    const value = element.getAttribute(attribute);
    if (value) {
      parameters[attribute.replace('-', '_')] =
        attribute === 'field' ? value.split(/; */) : attribute === 'diversity' ? Number(value) : value;
    }
  }
  return parameters;
}

/**
 * @typedef {Record<string, string> & { why?: { terms?: { term: string }[] } }} RelatedPage
 * @param {{ related?: RelatedPage[] }} answer
 * @returns {Item[]}
 */
function itemsOf({ related = [] }) {
  return related.flatMap((page) => {
    const url = webUrl(page['url']);
    if (url === null) return [];
    const about = page['description'] ?? page['passage'];
    const words = new Set(page.why?.terms?.map(({ term }) => term));
    return {
      url,
      title: titleOf(page['title'], url),
      site: siteOf(url),
      part: page['fallback'] ? 'item fallback' : 'item',
      image: webUrl(page['image']) ?? undefined,
      description: about && shortened(about),
      published_at: page['published_at'],
      why: shortened([...words].slice(0, MOST_WORDS).join(', ')) || undefined,
    };
  });
}
