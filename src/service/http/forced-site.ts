/** Keeps callers whose key is for one site, or for the pages with a field, to these. */
import { canonicalUrl } from '../../url/canonical-url.ts';
import { hostNamed, siteOf } from '../../url/site.ts';
import type { Key } from '../keys/key-ring.ts';
import { type PostedBody, parseJson } from './body.ts';
import { Problem } from './problems/problem.ts';

interface Given {
  readonly url?: unknown;
  readonly urls?: unknown;
  readonly site?: unknown;
  readonly within?: unknown;
  readonly group?: unknown;
  readonly explain?: unknown;
}

/**
 * The parameters of a question, as a key lets them be asked: lists hold pages of its site, or with its field, alone, and do not
 * say which pages link to these. What has no right form is left to the reader of parameters.
 *
 * @param isList whether pages are listed, and not merely named.
 *
 * Errors  Problem `key-scope` for a page of another site.
 */
export function forcedTo(key: Key | null, given: object, isList = true): object {
  if (key === null || (key.site === null && key.field === null)) return given;
  const { url = [], urls = [], site, within = key.field, group, explain: _links, ...others }: Given = given;
  if (key.field !== null && within !== key.field) throw notOfKey();
  for (const one of [url, urls].flat()) {
    const page = typeof one === 'string' ? canonicalUrl(one) : null;
    if (page !== null && key.site !== null && siteOf(page) !== key.site) throw notOfKey();
  }
  if (site !== undefined && key.site !== null && (typeof site !== 'string' || !isOf(site, key.site)))
    throw notOfKey();
  if (!isList) return given;
  return {
    ...others,
    ...('url' in given && { url }),
    ...('urls' in given && { urls }),
    ...((site ?? key.site) !== null && { site: site ?? key.site }),
    ...(within !== null && { within }),
    // Copies are found among all pages.
    ...(group !== undefined && (key.field === null || typeof group === 'string') && { group }),
  };
}

/** The same of a body of JSON. */
export function forcedBody(key: Key | null, body: PostedBody | null): PostedBody | null {
  const isForced = key?.site != null || key?.field != null;
  const value = isForced && body !== null ? parseJson(body) : null;
  if (body === null || typeof value !== 'object' || value === null) return body;
  return { ...body, bytes: new TextEncoder().encode(JSON.stringify(forcedTo(key, value))) };
}

function isOf(named: string, site: string): boolean {
  const host = hostNamed(named);
  return host !== null && siteOf(`http://${host}/`) === site;
}

const notOfKey = () => new Problem('key-scope', 'the key is for other pages');
