/**
 * The key that captures of a URL are sorted by: its host from the right without `www.`, then path and query in lower case, the
 * parameters in order, no slash at the end or behind another (SURT, as archives of the Internet Archive have it).
 */
export function urlKey(given: string): string {
  const { hostname, port, pathname, search } = new URL(given.toLowerCase());
  const host = hostname
    .replace(/^www\d*\.|[[\]]/g, '')
    .split('.')
    .reverse()
    .join(',');
  const path = plain(pathname)
    .replace(/\/+/g, '/')
    .replace(/(.)\/$/, '$1');
  const query = search.length > 1 ? `?${plain(search.slice(1)).split('&').sort(byName).join('&')}` : '';
  return `${host}${port === '' ? '' : `:${port}`})${path}${query}`;
}

/** What need not be escaped as it is. */
function plain(text: string): string {
  return text.replace(/%(2[1246-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
  );
}

/** By the name and then the value, as bytes: `a=2` before `a-b=1`. */
function byName(a: string, b: string): number {
  const [nameA = '', valueA = ''] = a.split(/=(.*)/s);
  const [nameB = '', valueB = ''] = b.split(/=(.*)/s);
  return compare(nameA, nameB) || compare(valueA, valueB);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
