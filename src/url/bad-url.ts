/** What to say of a text that `canonicalUrl` gives null for. */
import { MAX_URL_LENGTH } from './canonical-url.ts';

/** What is wrong with it. */
export function badUrlText(text: string): string {
  const length = urlLength(text);
  return length > MAX_URL_LENGTH
    ? `a URL of ${length} characters; ${MAX_URL_LENGTH} are the most`
    : 'not an http(s) URL';
}

/** What it had to be; `allowed` says what may stand there. */
export function wantedUrlText(text: string, allowed = 'an absolute http or https URL'): string {
  return urlLength(text) > MAX_URL_LENGTH
    ? `a URL of at most ${MAX_URL_LENGTH} characters, its escapes counted`
    : allowed;
}

/** Characters of an http or https URL, with all that has to be escaped; 0 for any other text. */
function urlLength(text: string): number {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 0;
  url.hash = '';
  return url.href.length;
}
