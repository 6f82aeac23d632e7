/** A crawl as one WACZ file: what is in it, and that it is read as the archives are. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import { writeWacz } from '../../src/crawl/wacz/write-wacz.ts';
import { openSource } from '../../src/sources/open-source.ts';
import type { SourceItem } from '../../src/sources/record/record.ts';
import { urlKey } from '../../src/url/archive-key.ts';
import { crawlTo, links, serve, temporaryFolder } from './loopback.ts';

const OPTIONS = { baseUrl: null, format: null, maxPageBytes: 1e6 };

async function itemsOf(path: string): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const item of (await openSource(path, OPTIONS)).items()) items.push(item);
  return items;
}

/** A crawl of 30 pages and some that are none, in several archives. */
async function crawled(t: TestContext): Promise<string> {
  const web = await serve(t, (request, response) => {
    const n = Number(request.url!.slice(1));
    if (!Number.isInteger(n)) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (n === 30) return response.writeHead(301, { location: '/0' }).end();
    return response.end(`<title>${n}</title>${`words ${n % 5} in a row `.repeat(200)}${links(`/${n + 1}`)}`);
  });
  const folder = temporaryFolder(t);
  await crawlTo({
    folder,
    resolve: web.resolve,
    seeds: ['http://a.example/0'],
    settings: { archiveBytes: 9000 },
  });
  return folder;
}

test('a WACZ has the archives, an index that leads to each record, pages and digests; it is read as they are', async (t) => {
  const folder = await crawled(t);
  const names = archiveNames(folder);
  assert.ok(names.length > 1);
  const target = join(folder, 'all.wacz');
  const written = await writeWacz(folder, target, Date.UTC(2026, 0, 31));
  const files = storedFiles(readFileSync(target));
  assert.deepEqual(
    [...files.keys()].sort(),
    [
      ...names.map((name) => `archive/${name}`),
      'datapackage-digest.json',
      'datapackage.json',
      'indexes/index.cdx',
      'pages/pages.jsonl',
    ].sort(),
  );
  const apart = (await Promise.all(names.map((name) => itemsOf(join(folder, name))))).flat();
  const together = await itemsOf(target);
  const bare = ({ kind, url, ...item }: SourceItem) => [kind, url, 'body' in item ? item.body : item];
  const where = (items: SourceItem[]) => items.filter(({ kind }) => kind === 'capture').map(bare);
  assert.equal(together.length, apart.length);
  assert.deepEqual(where(together), where(apart));

  const data = JSON.parse(files.get('datapackage.json')!.toString());
  for (const { path, hash, bytes } of data.resources) {
    const file = files.get(path)!;
    assert.deepEqual(
      [hash, bytes],
      [`sha256:${createHash('sha256').update(file).digest('hex')}`, file.length],
    );
  }
  const lines = files.get('indexes/index.cdx')!.toString().trim().split('\n');
  assert.deepEqual(lines, lines.toSorted());
  assert.equal(lines.length, written.captures);
  for (const line of lines) {
    const [, key, time, json] = /^(\S+) (\d{14}) (.*)$/.exec(line)!;
    const { url, offset, length, filename, status } = JSON.parse(json!);
    assert.equal(key, urlKey(url));
    const member = files
      .get(`archive/${filename}`)!
      .subarray(Number(offset), Number(offset) + Number(length));
    const record = gunzipSync(member).toString('latin1');
    assert.ok(record.includes(`WARC-Target-URI: ${url}\r\n`) && record.includes(`HTTP/1.1 ${status} `));
    assert.ok(record.replace(/\D/g, '').includes(time!));
  }
  const pages = files.get('pages/pages.jsonl')!.toString().trim().split('\n');
  assert.deepEqual([pages.length - 1, written.pages], [30, 30]);
});

test('a ZIP that is no WACZ, and one that is cut, are named', async (t) => {
  const folder = await crawled(t);
  const target = join(folder, 'all.wacz');
  await writeWacz(folder, target, 0);
  const bytes = readFileSync(target);
  const cut = join(folder, 'cut.wacz');
  writeFileSync(cut, bytes.subarray(0, bytes.length - 30));
  await assert.rejects(itemsOf(cut), /cut\.wacz cannot be read as a ZIP file/);
  const other = join(folder, 'other.zip');
  writeFileSync(other, bytes.toString('latin1').replaceAll('archive/', 'archivX/'), 'latin1');
  await assert.rejects(itemsOf(other), /other\.zip is a ZIP file without a WARC file/);
});

test('of an archive that is damaged or cut no WACZ is made, whose index would not have all of it', async (t) => {
  const folder = await crawled(t);
  const target = join(folder, 'all.wacz');
  const path = join(folder, archiveNames(folder)[0]!);
  const bytes = readFileSync(path);
  // Behind a header of ten bytes: a type of block that there is not (RFC 1951, 3.2.3).
  const damaged = Buffer.from(bytes);
  damaged[10] = 7;
  for (const broken of [damaged, bytes.subarray(0, bytes.length - 30), bytes.subarray(0, 5)]) {
    writeFileSync(path, broken);
    await assert.rejects(writeWacz(folder, target, 0), { code: 'AKIN_ERR_INDEX_CORRUPT' });
    assert.ok(!existsSync(target));
  }
});

test('keys of URLs are those of surt 0.3.1', () => {
  for (const [url, key] of [
    ['http://example.org/a//b/', 'org,example)/a/b'],
    ['http://example.org/a%2F/?u=http://b//c', 'org,example)/a?u=http://b//c'],
    ['http://[2001:db8::1]:81/', '2001:db8::1:81)/'],
    ['https://www.Example.org/A/?b=2&a=1', 'org,example)/a?a=1&b=2'],
    ['http://www2.example.org:8080/', 'org,example:8080)/'],
    ['http://example.org/x?', 'org,example)/x'],
    ['http://127.0.0.1/%7Ea%20B', '1,0,0,127)/~a%20b'],
  ] as const)
    assert.equal(urlKey(url), key);
});

/** What a ZIP has that only stores, or deflates small files: by its directory. */
function storedFiles(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 20),
      ...[28, 30, 32].map((field) => zip.readUInt16LE(at + field)),
    ] as [number, number, number, number];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + size);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    files.set(name, zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
