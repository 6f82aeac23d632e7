/** A WACZ of the crawler by the reference tools of the format: pip install wacz cdxj-indexer. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import { writeWacz } from '../../src/crawl/wacz/write-wacz.ts';
import { urlKey } from '../../src/url/archive-key.ts';
import { crawlTo, links, serve, temporaryFolder } from './loopback.ts';

const hasTools = spawnSync('python3', ['-c', 'import wacz, cdxj_indexer']).status === 0;
const skip = hasTools ? false : 'Python has no wacz or cdxj-indexer: pip install wacz cdxj-indexer';

const KEYS = [
  'https://www.example.org/',
  'http://www12.Example.org:8080/A/B/?z=1&y=2&y=1&flag',
  'https://example.org/a/b.html?q=caf%C3%A9&a-b=1&a=2',
  'https://example.org/%7Euser/?',
  'https://example.org/a%2FB%25%20c?x=%26Y&b=%3d',
  'http://127.0.0.1:3000/x/',
  'https://xn--bcher-kva.example/Stra%C3%9Fe',
];

function python(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  assert.equal(status, 0, stderr + stdout);
  return stdout;
}

test('wacz validates it, and cdxj-indexer makes the same index of its archives', { skip }, async (t) => {
  const text = (n: number) =>
    `<title>${n}</title>${'words in a row '.repeat(200)}${links(`/${n + 1}`, '/same', '/Large')}`;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/same') return response.end(text(0));
    if (request.url === '/Large') return response.end('x'.repeat(200_000));
    const n = Number(request.url!.slice(1));
    if (n > 20) return response.writeHead(301, { location: '/0' }).end();
    return response.end(text(n));
  });
  const folder = temporaryFolder(t);
  const settings = { archiveBytes: 20_000, maxPageBytes: 100_000 };
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://www.a.example/0'], settings });
  const target = join(folder, 'all.wacz');
  await writeWacz(folder, target, Date.now());

  const validated = python('-c', 'from wacz.main import main; main()', 'validate', '-f', target);
  assert.match(validated, /valid/i);
  assert.doesNotMatch(validated, /invalid|not match|missing|not listed/i);
  const names = archiveNames(folder).map((name) => join(folder, name));
  const theirs = python('-c', 'from cdxj_indexer.main import main; main()', '-s', ...names);
  const ours = python(
    '-c',
    'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read("indexes/index.cdx").decode(), end="")',
    target,
  );
  const parsed = (lines: string) =>
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [, key, time, json] = /^(\S+) (\d+) (.*)$/.exec(line)!;
        return [key, time, JSON.parse(json!)];
      });
  assert.deepEqual(parsed(ours), parsed(theirs));
  const keys = python('-c', 'import sys, surt; print("\\n".join(map(surt.surt, sys.argv[1:])))', ...KEYS);
  assert.deepEqual(KEYS.map(urlKey), keys.trim().split('\n'));
});
