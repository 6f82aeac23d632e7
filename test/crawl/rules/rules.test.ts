import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSitemap } from '../../../src/crawl/response/sitemap.ts';
import { branchesOf } from '../../../src/crawl/rules/copy-stop.ts';
import { backoffMs, gapMs, retryAfterMs } from '../../../src/crawl/rules/politeness.ts';
import { Scope } from '../../../src/crawl/rules/scope.ts';
import { queryBound, trapOf } from '../../../src/crawl/rules/trap-rules.ts';
import { canonicalUrl } from '../../../src/url/canonical-url.ts';
import { processorMs } from '../../processor-time.ts';

const TRAPS = fileURLToPath(new URL('../../../../shared/data/uci-traps/pages.tsv', import.meta.url));
const skip = existsSync(TRAPS) ? false : '../shared/data/uci-traps is absent';

test('endless and repeated paths are traps, ordinary ones are not', () => {
  const trap = (path: string) => trapOf(`http://a.example/${path}`);
  assert.equal(trap('a/b/c/a/b/c/'), null);
  assert.equal(trap('a/b/a/b/a/b'), 'repeated');
  assert.equal(trap('2019/11/11/11/'), null);
  assert.equal(trap('x/'.repeat(2)), null);
  assert.equal(trap(Array.from({ length: 30 }, (_, i) => `s${i}`).join('/')), 'deep');
  assert.equal(trap('y'.repeat(1100)), 'long');
  assert.equal(trap('?a=1/1/1/1'), null);
});

test('of the URLs on which a crawl got lost those that repeat a segment are all refused', { skip }, () => {
  const [header, ...lines] = readFileSync(TRAPS, 'utf8').trimEnd().split('\n');
  const repeats = header!.split('\t').indexOf('max_segment_repeats');
  const rows = lines.map((line) => line.split('\t'));
  // A step up is no segment of the canonical URL.
  const lost = rows.filter((cells) => Number(cells[repeats]) >= 3 && !cells[0]!.includes('/../'));
  assert.equal(lost.length, 309);
  const missed = lost.filter(([url]) => {
    const canonical = canonicalUrl(url!);
    return canonical !== null && trapOf(canonical) === null;
  });
  assert.deepEqual(missed, []);
});

test('a path may have many queries of one parameter, few of many', () => {
  const path = 'http://a.example/list';
  assert.equal(queryBound(path), null);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 9].map((count) => queryBound(`${path}?${Array(count).fill('a=1').join('&')}`)?.limit),
    [100_000, 10_000, 1000, 100, 100, 100],
  );
  assert.deepEqual(queryBound(`${path}?a=1&b=2`), { family: `${path}?2`, limit: 10_000 });
  // Only the first question mark begins a query (RFC 3986, section 3.4).
  assert.deepEqual(queryBound(`${path}?to=/x?a=1&b=2`), { family: `${path}?2`, limit: 10_000 });
});

test('the gap is the delay, ten times the fetch, or what robots.txt asks for, whichever is longest, up to a minute', () => {
  assert.equal(gapMs(1000, 20, null), 1000);
  assert.equal(gapMs(1000, 300, null), 3000);
  assert.equal(gapMs(1000, 300, 5000), 5000);
  assert.equal(gapMs(1000, 300, 1e9), 60_000);
  assert.equal(gapMs(90_000, 300, null), 90_000);
  assert.equal(gapMs(0, 300, null), 0);
  assert.equal(gapMs(0, 300, 2000), 2000);
});

test('waits double within bounds, and Retry-After is read as seconds or as a date', () => {
  assert.deepEqual(
    [1, 2, 3, 20].map((failures) => backoffMs(10_000, failures)),
    [10_000, 20_000, 40_000, 600_000],
  );
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(retryAfterMs(' 120 ', now), 120_000);
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000);
  assert.equal(retryAfterMs('Thu, 01 Jan 2020 00:00:30 GMT', now), 0);
  assert.equal(retryAfterMs('soon', now), null);
  assert.equal(retryAfterMs(null, now), null);
});

test('a scope is the sites or the hosts of the seeds, or everything, within the expressions', () => {
  const settings = { include: '', exclude: '\\.pdf$', part: 1, parts: 1 };
  const site = new Scope({ ...settings, scope: 'site' }, []);
  // What is new is said once: a crawl may have as many sites as seeds.
  assert.deepEqual(
    ['https://www.a.co.uk/x', 'http://a.co.uk/'].map((url) => site.widen(url)),
    ['www.a.co.uk', null],
  );
  assert.ok(new Scope({ ...settings, scope: 'site' }, ['www.a.co.uk']).holds('http://b.a.co.uk/'));
  assert.ok(site.holds('http://b.a.co.uk/'));
  assert.ok(!site.holds('http://b.co.uk/'));
  assert.ok(!site.holds('http://a.co.uk/x.pdf'));
  const host = new Scope({ ...settings, scope: 'host', include: '/docs/' }, ['a.example']);
  assert.ok(host.holds('https://a.example:8080/docs/1'));
  assert.ok(!host.holds('https://www.a.example/docs/1'));
  assert.ok(!host.holds('https://a.example/blog'));
  assert.throws(() => new Scope({ ...settings, scope: 'any', include: '(' }, []), {
    code: 'AKIN_ERR_OPTION',
  });
});

test('branches are the folders of a URL, and its path before a query', () => {
  assert.deepEqual(branchesOf('http://a.example/x/y/z?q'), [
    'http://a.example/x/',
    'http://a.example/x/y/',
    'http://a.example/x/y/z?',
  ]);
  assert.deepEqual(branchesOf('http://a.example/x'), []);
});

test('a sitemap is read up to where it breaks; other XML is none', () => {
  const read = (text: string) => readSitemap({ headers: [], body: Buffer.from(text) }, new Map());
  const cut = '<urlset><url><loc>http://a.example/?a=1&amp;b=&#x32;</loc></url><url><loc>http://a.exa';
  assert.deepEqual(read(cut), { isIndex: false, isCut: false, urls: ['http://a.example/?a=1&b=2'] });
  assert.equal(read('<opml><loc>http://a.example/</loc></opml>'), null);
  const long = `<urlset>${'<loc>http://a.example/</loc>'.repeat(60_000)}</urlset>`;
  assert.equal(read(long)?.urls.length, 50_000);
  assert.equal(read(long)?.isCut, true);
  assert.ok(processorMs(() => read(`<urlset>${'<loc> <![CDATA['.repeat(200_000)}`)) < 2000);
});

test('what a sitemap has in comments is not in it, and a line that is no URL costs itself', () => {
  const read = (text: string) => readSitemap({ headers: [], body: Buffer.from(text) }, new Map());
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `http://a.example/${name}`) as [string, string, string];
  const old = `<!-- <sitemapindex> <url><loc>${b}</loc></url> -->`;
  assert.deepEqual(
    read(`${old}<urlset>${old}<loc><!-- of today -->${a}</loc></urlset><!-- <loc>${c}</loc>`),
    {
      isIndex: false,
      isCut: false,
      urls: [a],
    },
  );
  assert.deepEqual(read(`\ufeff# made today\r\n${a}\r${b}\n\n ${c} \n`)?.urls, [a, b, c]);
  assert.equal(read(`${a}\nno list`), null);
  assert.ok(processorMs(() => read(`<urlset>${'<!--'.repeat(1_000_000)}`)) < 2000);
});
