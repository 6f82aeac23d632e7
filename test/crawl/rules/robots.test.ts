import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Robots } from '../../../src/crawl/rules/robots.ts';
import { RobotsCache, robotsRequest } from '../../../src/crawl/rules/robots-cache.ts';
import type { Exchange } from '../../../src/net/exchange.ts';
import { processorMs } from '../../processor-time.ts';

const VECTORS = fileURLToPath(
  new URL('../../../../shared/data/vectors/robots/robots_vectors.json', import.meta.url),
);
const skip = existsSync(VECTORS) ? false : '../shared/data/vectors/robots is absent';

test('the published cases are decided as published', { skip }, () => {
  const cases = JSON.parse(readFileSync(VECTORS, 'utf8')) as Record<string, string>[];
  const wrong = cases.filter(({ url, robotstxt, agent, allowed }) => {
    // Bytes as Latin-1 characters.
    const text = Buffer.from(robotstxt!, 'latin1').toString();
    return url !== '' && Robots.parse(text, agent!).allows(url!) !== (allowed as unknown);
  });
  assert.equal(cases.filter(({ url }) => url !== '').length, 136);
  assert.deepEqual(wrong, []);
});

test('an escaped letter in a rule is that letter, and an escaped star or dollar no sign', () => {
  const rules = [
    'disallow: /%7Ejoe/',
    'allow: /%7ejoe/open/',
    'disallow: /%2Astar',
    'disallow: /a%24b',
    'disallow: /c%2Fd',
  ];
  const robots = Robots.parse(['user-agent: *', ...rules].join('\n'), 'akin');
  const forbidden = ['~joe/x', '%7Ejoe/x', '*star', '%2Astar', 'a$b', 'a%24b', 'c%2Fd'];
  for (const path of forbidden) assert.ok(!robots.allows(`https://example.org/${path}`), path);
  for (const path of ['~joe/open/x', 'joe/x', 'a-star', 'a', 'c/d']) {
    assert.ok(robots.allows(`https://example.org/${path}`), path);
  }
});

test('a rule forbids what the URL parser makes of it, in a path and in a query', () => {
  const meansMore = ['#', '*', '$', '?', '%'];
  const letters = Array.from({ length: 0x7f - 0x21 }, (_, i) => String.fromCharCode(0x21 + i));
  const given = letters.filter((letter) => !meansMore.includes(letter));
  for (const letter of [...given, ' ', 'ä', '%zz']) {
    // In a path a backslash is a slash.
    for (const path of [`/x?y=${letter}z`, ...(letter === '\\' ? [] : [`/x${letter}y`])]) {
      const { href } = new URL(path, 'https://example.org/');
      for (const rule of [path, `/*${letter}z`, `/*${letter}y`].filter((one) =>
        path.endsWith(one.slice(2)),
      )) {
        const robots = Robots.parse(`user-agent: *\ndisallow: ${rule}`, 'akin');
        assert.ok(!robots.allows(href), `${rule} forbids ${href}`);
        assert.ok(robots.allows('https://example.org/other'), rule);
      }
    }
  }
});

test('a crawl delay and sitemaps are read, the delay of the own group', () => {
  const text = [
    'User-agent: *',
    'Crawl-delay: 7',
    'Sitemap: https://example.org/a.xml',
    '',
    'user-agent: akin',
    'crawl-delay: 2.5 # patient',
    'Disallow: /x',
    'SITEMAP:https://example.org/b.xml',
  ].join('\r');
  const robots = Robots.parse(text, 'akin');
  assert.equal(robots.crawlDelaySeconds, 2.5);
  assert.equal(Robots.parse(text, 'other').crawlDelaySeconds, 7);
  assert.deepEqual(robots.sitemaps, ['https://example.org/a.xml', 'https://example.org/b.xml']);
  assert.equal(Robots.parse('user-agent: *\ncrawl-delay: soon', 'akin').crawlDelaySeconds, null);
});

test('a delay between two agents is for the first alone, what follows is for both', () => {
  const text =
    'User-agent: *\nCrawl-delay: 7\n\nUser-agent: akin\nDisallow: /x\nCrawl-delay: 2\n\nUser-agent: c\nDisallow: /y';
  const said = (agent: string) => {
    const robots = Robots.parse(text, agent);
    const closed = ['/x', '/y'].filter((path) => !robots.allows(`https://example.org${path}`));
    return [robots.crawlDelaySeconds, ...closed];
  };
  assert.deepEqual(said('akin'), [2, '/x']);
  assert.deepEqual(said('another'), [7, '/x']);
  assert.deepEqual(said('c'), [null, '/y']);
});

/** What `http://a.example` allows by a file, or that it cannot be known. */
function loadRobots(body: Buffer, given: Partial<Exchange> = {}) {
  const head = { kind: 'response', reason: '', headers: [], address: null } as const;
  const last: Exchange = { ...head, status: 200, body, cut: null, startedAtMs: 0, durationMs: 0, ...given };
  return new RobotsCache('akin', () => 0).take(robotsRequest('http://a.example'), last);
}

test('bytes that are no text cost their own line, and a file that cannot be unpacked is none that allows', async () => {
  const rules = 'user-agent: *\ndisallow: /no\n';
  for (const noise of ['\0', '\x01\x02\x03\n', '\0'.repeat(1000)]) {
    const robots = loadRobots(Buffer.from(`${rules}${noise}`));
    assert.ok(robots instanceof Robots);
    assert.deepEqual(
      [robots.allows('http://a.example/no'), robots.allows('http://a.example/')],
      [false, true],
    );
  }
  const headers = [['Content-Encoding', 'gzip']] as const;
  const packed = gzipSync(`${rules}${'#'.repeat(5_000_000)}`);
  const broken = Buffer.concat([packed.subarray(0, 10), Buffer.from('no deflate data')]);
  for (const body of [packed, broken]) {
    assert.equal(loadRobots(body, { headers }), null);
  }
});

test('of a file that is too long the line that was cut allows nothing', async () => {
  const rules = 'user-agent: *\ndisallow: /\nallow: /a/b';
  const robotsOf = async (text: string, cut: 'length' | null) => {
    const robots = loadRobots(Buffer.from(text), { cut });
    assert.ok(robots instanceof Robots);
    return robots.allows('http://a.example/a/c') || robots.allows('http://a.example/a/b');
  };
  assert.equal(await robotsOf(rules, null), true);
  assert.equal(await robotsOf(rules.slice(0, -2), 'length'), false);
  const long = `${rules.slice(0, 25)}${'#'.repeat(512 * 1024 - 25 - 10)}\nallow: /a/b`;
  assert.equal(await robotsOf(long, null), false);
});

test('the file itself is always allowed', () => {
  const robots = Robots.parse('User-agent: *\nDisallow: /', '');
  assert.ok(robots.allows('https://example.org/robots.txt'));
  assert.ok(!robots.allows('https://example.org/robots.txt?x'));
  assert.ok(Robots.allowAll.allows('https://example.org/'));
});

test('a pattern full of stars is matched at once', () => {
  const robots = Robots.parse(`user-agent: *\ndisallow: /${'a*'.repeat(5000)}b`, 'akin');
  const ms = processorMs(() => assert.ok(robots.allows(`https://example.org/${'a'.repeat(20_000)}`)));
  assert.ok(ms < 1000, `${ms} ms`);
});

test('a line takes time in proportion to its length', () => {
  for (const line of [`a${'\t'.repeat(500_000)}b`, `${' '.repeat(250_000)}:`, `a${': '.repeat(250_000)}`]) {
    const ms = processorMs(() => assert.ok(Robots.parse(line, 'akin').allows('https://example.org/')));
    assert.ok(ms < 500, `${ms} ms for ${line.length} characters`);
  }
  const robots = Robots.parse(`user-agent: *\ndisallow: /a${' '.repeat(500_000)}\ndisallow: /b`, 'akin');
  assert.ok(!robots.allows('https://example.org/a') && !robots.allows('https://example.org/b'));
});

test('a file that is all stars is decided in bounded time, and never allows more than it says', () => {
  const url = `https://example.org/${'a'.repeat(2000)}`;
  for (const pattern of [(i: number) => `/*${i}`, (i: number) => `/${'*a'.repeat(20)}${i}`]) {
    const rules = Array.from({ length: 26_000 }, (_, i) => `disallow: ${pattern(i)}x`);
    const robots = Robots.parse(['user-agent: *', ...rules].join('\n').slice(0, 512 * 1024), 'akin');
    assert.ok(robots.shortenedRules > 0);
    // What is cut at its first star forbids all.
    assert.ok(!robots.allows(url));
    const ms = processorMs(() => robots.allows(url));
    assert.ok(ms < 50, `${ms} ms`);
  }
  const allowed = Array.from({ length: 6000 }, (_, i) => `allow: /*a${i}`);
  const robots = Robots.parse(['user-agent: *', 'disallow: /', ...allowed].join('\n'), 'akin');
  // The longest of them keep their stars.
  assert.equal(robots.shortenedRules, 1000);
  assert.ok(robots.allows('https://example.org/xa5999') && !robots.allows('https://example.org/xa0'));
});

test('bytes that are no text allow everything', () => {
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)).toString();
  assert.ok(Robots.parse(noise, 'akin').allows('https://example.org/page'));
});
