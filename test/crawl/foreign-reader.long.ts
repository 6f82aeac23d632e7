/** What the crawler writes is read back by another WARC library: warcio for Python (pip install warcio). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import { crawlTo, links, serve, temporaryFolder } from './loopback.ts';

const hasWarcio = spawnSync('python3', ['-c', 'import warcio']).status === 0;
const skip = hasWarcio ? false : 'Python has no warcio: pip install warcio';

const READ = `
import json, sys
from warcio.archiveiterator import ArchiveIterator
for path in sys.argv[1:]:
    with open(path, 'rb') as stream:
        for record in ArchiveIterator(stream, check_digests='raise'):
            head = record.rec_headers
            body = record.content_stream().read()
            print(json.dumps({
                'version': head.protocol, 'type': record.rec_type, 'url': head.get_header('WARC-Target-URI'),
                'date': head.get_header('WARC-Date'), 'refers': head.get_header('WARC-Refers-To-Target-URI'),
                'cut': head.get_header('WARC-Truncated'), 'info': head.get_header('WARC-Warcinfo-ID'),
                'id': head.get_header('WARC-Record-ID'),
                'status': record.http_headers.get_statuscode() if record.http_headers else None,
                'body': body.decode('latin-1'),
            }))
`;

test('warcio for Python reads every record, its digests hold, and its bodies are those of the server', {
  skip,
}, async (t) => {
  const text = (n: number) =>
    `<title>${n}</title>${'words in a row '.repeat(200)}${links(`/${n + 1}`, '/gzip', '/same', '/large')}`;
  const web = await serve(t, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/gzip') {
      response.setHeader('content-encoding', 'gzip');
      return response.end(gzipSync(text(1000)));
    }
    if (request.url === '/same') return response.end(text(0));
    if (request.url === '/large') return response.end('x'.repeat(200_000));
    const n = Number(request.url!.slice(1));
    if (n > 40) return response.writeHead(301, { location: '/0', 'x-latin': 'caf\u00e9' }).end();
    response.write(text(n).slice(0, 100));
    return response.end(text(n).slice(100));
  });
  const folder = temporaryFolder(t);
  const settings = { archiveBytes: 20_000, maxPageBytes: 100_000, contact: 'https://me.example/' };
  await crawlTo({ folder, resolve: web.resolve, seeds: ['http://a.example/0'], settings });
  const names = archiveNames(folder);
  assert.ok(names.length > 1, 'the archive is rolled');
  const paths = names.map((name) => join(folder, name));
  const { status, stdout, stderr } = spawnSync('python3', ['-c', READ, ...paths], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, stderr);
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string | null>);
  const ofType = (type: string) => records.filter((record) => record['type'] === type);
  assert.equal(ofType('warcinfo').length, names.length);
  assert.match(ofType('warcinfo')[0]!['body']!, /operator: https:\/\/me\.example\//);
  const infos = new Set(ofType('warcinfo').map(({ id }) => id));
  const byUrl = new Map(records.map((record) => [record['url'], record]));
  for (let n = 0; n <= 40; n++) assert.equal(byUrl.get(`http://a.example/${n}`)!['body'], text(n));
  assert.equal(byUrl.get('http://a.example/gzip')!['body'], text(1000));
  assert.equal(byUrl.get('http://a.example/41')!['status'], '301');
  assert.equal(byUrl.get('http://a.example/large')!['cut'], 'length');
  assert.deepEqual(
    ofType('revisit').map(({ url, refers }) => [url, refers]),
    [['http://a.example/same', 'http://a.example/0']],
  );
  // 0 to 41, where 1001 leads on, gzip and large.
  assert.equal(ofType('response').length, 45);
  for (const record of records) {
    assert.equal(record['version'], 'WARC/1.1');
    if (record['type'] !== 'warcinfo') assert.ok(infos.has(record['info'] ?? null));
  }
  const check = spawnSync('python3', ['-m', 'warcio.cli', 'check', '-v', ...paths], { encoding: 'utf8' });
  assert.doesNotMatch(check.stdout, /fail/i);
});
