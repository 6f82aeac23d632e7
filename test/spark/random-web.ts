/** Archives of a small web where all that can be said of a URL is said of some: redirects, circles, copies, errors. */
import { Random } from '../../src/lib/random.ts';
import { gzipMembers, httpResponse, warcRecord } from '../sources/archive-bytes.ts';

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

/** `fileCount` gzipped WARC files of `recordCount` records each; the same seed gives the same bytes. */
export function randomWeb(seed: number, fileCount: number, recordCount: number, urlCount: number): Buffer[] {
  const random = new Random(seed);
  const below = (n: number) => random.below(n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const urls = Array.from({ length: urlCount }, (_, i) => `${HOSTS[i % HOSTS.length]}/page-${i}`);
  const text = (count: number) =>
    Array.from({ length: count }, () => pick(WORDS) + pick(['', '', 's', 'ing'])).join(' ');
  const link = () => `<p>${text(6)} <a href="${pick(urls)}">${text(1 + below(2))}</a> ${text(7)}</p>`;
  const page = (url: string) => {
    const canonical = below(4) === 0 ? `<link rel=canonical href="${pick(urls)}">` : '';
    const robots = below(15) === 0 ? '<meta name=robots content=noindex>' : '';
    const links = Array.from({ length: below(5) }, link).join('');
    return `<html lang=en><title>${pick(TITLES)}</title>${canonical}${robots}<h1>${url}</h1><p>${text(20 + below(60))}</p>${links}`;
  };
  const record = () => {
    const url = pick(urls);
    const date = { 'WARC-Date': pick(TIMES) };
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
