/**
 * Redirects from lost pages to where their texts are, for a web server to include. Each has its evidence as a comment above
 * it; a lost page without a place that is sure enough is a comment alone.
 */
import { mostWithin } from '../../lib/reaches-share.ts';
import { stateOf } from '../../service/answers/pages/last-seen.ts';
import { LINES, type Lines, type Row } from '../../service/exports/row-format.ts';
import type { Reads } from '../../service/reads/reads.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { printable } from '../terminal/terminal.ts';

export const MAP_FORMATS = ['nginx', 'apache', 'netlify', 'csv'] as const;
export type MapFormat = (typeof MAP_FORMATS)[number];

/** How one server writes its redirects. */
interface Server {
  readonly head: string;
  readonly tail: string;
  /** Null where it cannot match the URL. */
  readonly redirect: (from: URL, to: string) => string | null;
}

const SERVERS: Readonly<Record<Exclude<MapFormat, 'csv'>, Server>> = {
  nginx: {
    head: `# Redirects of lost pages, made by akin. Include this file in the http block, and put into the server block:
#   if ($akin_moved) { return 301 $akin_moved; }
map $host$request_uri $akin_moved {
`,
    tail: '}\n',
    // A pattern: of texts it would take /About for /about, and end at two that differ in that alone.
    redirect: ({ hostname, pathname, search }, to) =>
      `  "~^${pattern(hostname + pathname + search)}$" ${inNginx(to.replaceAll('$', '%24'))};\n`,
  },
  apache: {
    head: `# Redirects of lost pages, made by akin. Include this file in the virtual host; it needs mod_rewrite of Apache 2.4.
RewriteEngine On
`,
    tail: '',
    redirect: (
      { hostname, pathname, search },
      to,
    ) => `RewriteCond %{HTTP_HOST} "^${pattern(hostname)}(:[0-9]+)?$" [NC]
RewriteCond %{QUERY_STRING} "^${pattern(search.slice(1))}$"
RewriteRule "^/?${pathPattern(pathname.slice(1))}$" "${to.replaceAll('\\', '%5C').replace(/[$%]/g, '\\$&')}" [R=301,L,NE,QSD]
`,
  },
  netlify: {
    head: '# Redirects of lost pages, made by akin, for the file _redirects\n',
    tail: '',
    redirect: ({ pathname, search }, to) =>
      search !== '' || /[*]|\/:/.test(pathname) ? null : `${pathname} ${to} 301\n`,
  },
};

function inNginx(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A backslash before a backslash or a quote would be taken by the reader of the configuration. */
function pattern(text: string): string {
  return text.replace(/["\\]/g, byteOf).replace(/[.*+?^${}()|[\]]/g, '\\$&');
}

function byteOf(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16)}`;
}

/** Paths are matched decoded, byte by byte. */
function pathPattern(path: string): string {
  return path
    .split(/%([0-9a-f]{2})/i)
    .map((piece, i) => (i % 2 === 0 ? pattern(piece) : `\\x${piece}`))
    .join('');
}

/** Writes the rows of the export of lost pages; `least` is the share of a text that its new place must have. */
export function redirectLines(format: MapFormat, least: number): Lines {
  if (format === 'csv') {
    const { head, line, tail } = LINES.csv;
    return { head, tail, line: (row, ...rest) => (isSure(row, least) ? line(row, ...rest) : '') };
  }
  const { head, tail, redirect } = SERVERS[format];
  return {
    head: () => head,
    tail,
    line: (row) => {
      const [url, to] = [String(row['url']), String(row['now_at'] ?? row['moved_to'])];
      const refusal = isSure(row, least) ? leadsAway(row, to) : 'no redirect';
      const made = refusal === null ? redirect(new URL(url), to) : null;
      const why = made === null ? ` ${url}: ${refusal ?? cannotMatch(to)};` : '';
      return `#${why} ${evidenceText(row)}\n${made ?? ''}`;
    },
  };
}

const cannotMatch = (to: string) => `to ${to}, which this server cannot match`;

/**
 * Why a redirect would lead away a page that is there, as the servers go by host and path: where a site was at http and is at
 * https now, that of a lost page is for another one, too, or leads to itself without end. Null where it does not.
 */
function leadsAway({ url, other_url: other }: Row, to: string): string | null {
  if (matchedOf(String(url)) === matchedOf(to)) return cannotMatch(to);
  return typeof other === 'string' ? `to ${to}, but ${other} is there` : null;
}

/** What of a URL the servers match. */
function matchedOf(url: string): string {
  const { hostname, pathname, search } = new URL(url);
  return `${hostname}${pathname}${search}`;
}

/** The rows of the export of lost pages, each with `other_url`: a page that is there at the same host and path, by the other scheme or without the port. */
export async function* withOthers(
  reads: Reads,
  rows: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for await (const some of rows)
    yield await Promise.all(
      some.map(async (row) => ({ ...row, other_url: await otherThere(reads, String(row['url'])) })),
    );
}

async function otherThere(reads: Reads, url: string): Promise<string | null> {
  const { host, hostname, pathname, search } = new URL(url);
  const hosts = new Set([host, hostname]);
  const others = ['http', 'https'].flatMap((scheme) =>
    Array.from(hosts, (one) => canonicalUrl(`${scheme}://${one}${pathname}${search}`)!),
  );
  for (const other of others.filter((one) => one !== url)) {
    const pageId = await reads.idOf(other);
    if (pageId >= 0 && (await stateOf(reads, pageId)).state === 'current') return other;
  }
  return null;
}

function isSure({ strength, share, now_at: nowAt }: Row, least: number): boolean {
  const isThere = strength === 'now_at' || strength === 'parts_in' || typeof nowAt === 'string';
  return isThere && (share === null || Number(share) >= least);
}

function evidenceText({
  moved_to: to,
  now_at: nowAt,
  share,
  evidence,
  strength,
  last_sweep: sweep,
  complete,
}: Row): string {
  const bound = complete === false ? '; some pages were not looked at' : '';
  const last = `${typeof sweep === 'string' ? `; last seen in ${printable(sweep)}` : ''}${bound}`;
  if (typeof to !== 'string') return `its text is nowhere${last}`;
  const part =
    typeof share === 'number' ? `${mostWithin(share, 100)} % of its text` : 'its text was not read';
  const gone =
    strength === 'gone'
      ? `, which is gone too${typeof nowAt === 'string' ? ` and is now at ${nowAt}` : ''}`
      : '';
  return `${part} in ${to}${gone} (${(evidence as readonly string[]).join(', ')})${last}`;
}
