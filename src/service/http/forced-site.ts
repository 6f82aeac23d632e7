/** Keeps callers whose key is for one site to its pages. */
import { canonicalUrl } from '../../url/canonical-url.ts';
import { hostOf, siteOf } from '../../url/site.ts';
import type { Key } from '../keys/key-ring.ts';
import { type PostedBody, parseJson } from './body.ts';
import { Problem } from './problems/problem.ts';

interface Given {
  readonly url?: unknown;
  readonly urls?: unknown;
  readonly site?: unknown;
  readonly explain?: unknown;
}

/**
 * The parameters of a question, as a key lets them be asked: lists hold pages of its site alone, and do not say which pages link
 * to these. What has no right form is left to the reader of parameters.
 *
 * @param isList whether pages are listed, and not merely named.
 *
 * Errors  Problem `key-scope` for a page of another site.
 */
export function forcedTo(key: Key | null, given: object, isList = true): object {
  if (key === null || key.site === null) return given;
  const { url = [], urls = [], site, explain: _links, ...others }: Given = given;
  for (const one of [url, urls].flat()) {
    const page = typeof one === 'string' ? canonicalUrl(one) : null;
    if (page !== null && siteOf(page) !== key.site) throw notOfKey();
  }
  if (site !== undefined && (typeof site !== 'string' || !isOf(site, key.site))) throw notOfKey();
  if (!isList) return given;
  return {
    ...others,
    ...('url' in given && { url }),
    ...('urls' in given && { urls }),
    site: site ?? key.site,
  };
}

/** The same of a body of JSON. */
export function forcedBody(key: Key | null, body: PostedBody | null): PostedBody | null {
  const value = key?.site == null || body === null ? null : parseJson(body);
  if (body === null || typeof value !== 'object' || value === null) return body;
  return { ...body, bytes: new TextEncoder().encode(JSON.stringify(forcedTo(key, value))) };
}

function isOf(host: string, site: string): boolean {
  const url = canonicalUrl(`http://${host}/`);
  return url !== null && (hostOf(url) === site || hostOf(url).endsWith(`.${site}`));
}

const notOfKey = () => new Problem('key-scope', 'the key is for the pages of another site');
