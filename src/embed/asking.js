/** Asks the service. Sends no cookie and no address of the page other than the one asked about; keeps nothing. */

/** Where this script comes from, up to its folder. */
const HOME = new URL('.', import.meta.url).href;
const TIMEOUT_MS = 4000;
/** Longest text that is put into a page. */
const MAX_CHARS = 300;

/**
 * The URL if it is one that may be linked to, as a browser writes it.
 *
 * @param {unknown} text
 * @returns {string | null}
 */
export function webUrl(text) {
  if (typeof text !== 'string' || !URL.canParse(text, document.baseURI)) return null;
  const { protocol, href } = new URL(text, document.baseURI);
  return /^https?:$/.test(protocol) ? href : null;
}

/**
 * Address of the service, up to its folder.
 *
 * @param {HTMLElement} element
 */
export function endpointOf(element) {
  return new URL(
    `${(element.getAttribute('endpoint') ?? HOME).replace(/^(.*[^/])?\/*$/, '$1')}/`,
    document.baseURI,
  );
}

/**
 * The answer to one request of an element, with the key that it names. Errors where there is none.
 *
 * @param {HTMLElement} element
 * @param {URL} address
 * @param {RequestInit} init
 */
export async function ask(element, address, init) {
  const key = element.getAttribute('key');
  const response = await fetch(address, {
    ...init,
    headers: key ? { authorization: `Bearer ${key}` } : {},
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = await response.json();
  // Whoever wrote the page may know why it shows nothing.
  const why = answer.detail ?? answer.empty_reason;
  if (why) console[response.ok ? 'info' : 'warn'](`akin: ${why}`);
  if (!response.ok) throw new Error(`${response.status}`);
  return answer;
}

/**
 * Host of a page as it is shown.
 *
 * @param {string} url
 */
export function siteOf(url) {
  return new URL(url).host.replace(/^www\./, '');
}

/**
 * The title of a page, else its address.
 *
 * @param {string | undefined} title
 * @param {string} url
 */
export function titleOf(title, url) {
  return shortened(title?.trim() || url.replace(/^https?:\/\//, ''));
}

/**
 * Where a page is, as it is shown: its path, behind the host where that is another one than here.
 *
 * @param {string} url
 */
export function placeOf(url) {
  const { host, pathname, search } = new URL(url);
  return (host === location.host ? '' : host) + pathname + search;
}

/**
 * Without the marks that turn the order of letters around, and not too long.
 *
 * @param {string} given
 */
export function shortened(given) {
  const text = given.replace(/[\u202A-\u202E\u2066-\u2069]/g, '');
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).trimEnd()}…` : text;
}
