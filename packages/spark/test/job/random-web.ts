/**
 * Archives of a small web where all that can be said of a URL is said of some: redirects, circles, copies, errors, marks of
 * parts, features of its owner's.
 */
import { Random } from '../../../../src/lib/random.ts';
import { gzipMembers, httpResponse, warcRecord } from '../../../../test/sources/archive-bytes.ts';

const HOSTS = [
  'http://www.one.example',
  'http://docs.one.example',
  'https://two.example',
  'http://three.co.uk',
];
const WORDS =
  'rose keel anchor sail harbour mast rigging tide current reef buoy chart compass lantern storm calm breeze deck'.split(
    ' ',
  );
const TITLES = [
  'A\tlog',
  'back\\slash',
  'Tides &amp; reefs',
  '',
  'Ship&#10;shape',
  '&#x1F6A2; ships',
  'Plain title',
];
const TIMES = ['2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'];

const urlsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `${HOSTS[i % HOSTS.length]}/page-${i}`);

/**
 * `fileCount` gzipped WARC files of `recordCount` records each, fetched at one of `times`; the same seed gives the same bytes.
 */
export function randomWeb(
  seed: number,
  fileCount: number,
  recordCount: number,
  urlCount: number,
  times: readonly string[] = TIMES,
): Buffer[] {
  const random = new Random(seed);
  const below = (n: number) => random.below(n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const urls = urlsOf(urlCount);
  const text = (count: number) =>
    Array.from({ length: count }, () => pick(WORDS) + pick(['', '', 's', 'ing'])).join(' ');
  const link = () => `<p>${text(6)} <a href="${pick(urls)}">${text(1 + below(2))}</a> ${text(7)}</p>`;
  const page = (url: string) => {
    const canonical = below(4) === 0 ? `<link rel=canonical href="${pick(urls)}">` : '';
    const robots = below(15) === 0 ? '<meta name=robots content=noindex>' : '';
    const links = Array.from({ length: below(5) }, link).join('');
    const menu = `<nav class=menu>${text(9)}</nav>`;
    const mark = pick(['', '', 'data-akin-body', 'data-akin-weight=3']);
    const aside = below(4) === 0 ? `<p data-akin-ignore>${text(12)}</p>` : '';
    const content = `<h1>${url}</h1><h2>${text(1 + below(3))}</h2><p>${text(20 + below(60))}</p>${links}${aside}`;
    return `<html lang=en><title>${pick(TITLES)}</title>${canonical}${robots}${menu}<main ${mark}>${content}</main>`;
  };
  const record = () => {
    const url = pick(urls);
    const date = { 'WARC-Date': pick(times) };
    const choice = below(10);
    if (choice < 3) {
      return warcRecord('response', url, httpResponse('', { Location: pick(urls) }, '302 Found'), date);
    }
    if (choice === 3) return warcRecord('response', url, httpResponse('gone', {}, '404 Not Found'), date);
    if (choice === 4 && below(3) === 0)
      return warcRecord('response', url, httpResponse('', {}, '503 Busy'), date);
    return warcRecord('response', url, httpResponse(page(url)), date);
  };
  return Array.from({ length: fileCount }, () => gzipMembers(Array.from({ length: recordCount }, record)));
}

/** `recordCount` lines of JSON about the same URLs, most with features in the groups `tags` and `visitors`; some are wrong. */
export function randomFeatures(seed: number, recordCount: number, urlCount: number): string {
  const random = new Random(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const some = (most: number, feature: () => [string, number]) =>
    Object.fromEntries(Array.from({ length: random.below(most) }, feature));
  const weight = () => (1 + random.below(40)) / 8;
  const record = () => {
    // A name may be a word of the text, and stand in both groups.
    const tags = some(6, () => [pick(WORDS), weight()]);
    const visitors = some(9, () => [pick([...WORDS, 'a\tvisitor', 'ü', `v${random.below(30)}`]), weight()]);
    const features = random.below(20) === 0 ? { tags: { keel: -1 } } : { tags, visitors };
    const text = Array.from({ length: 40 }, () => pick(WORDS)).join(' ');
    const html = `<title>${pick(TITLES)}</title><p>${text}`;
    const date = pick(TIMES);
    return JSON.stringify({
      url: pick(urlsOf(urlCount)),
      html,
      fetched_at: date,
      ...(random.below(4) > 0 && { features }),
    });
  };
  return `${Array.from({ length: recordCount }, record).join('\n')}\n`;
}
