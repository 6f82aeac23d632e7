/** WACZ files as other tools write them. */
import assert from 'node:assert/strict';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { ZipFile } from 'yazl';
import { gzipMembers, pageRecord, readFile, temporaryFolder } from './archive-bytes.ts';

async function waczOf(t: TestContext, files: readonly [name: string, bytes: Buffer][], compress = false) {
  const zip = new ZipFile();
  for (const [name, bytes] of files) zip.addBuffer(bytes, name, { compress });
  zip.end();
  const path = join(temporaryFolder(t), 'x.wacz');
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

test('the archives of a WACZ are read whichever way they are compressed, in the ZIP or before', async (t) => {
  const frames = Buffer.concat([zstdCompressSync(pageRecord(3)), zstdCompressSync(pageRecord(4))]);
  const files: [string, Buffer][] = [
    ['archive/a.warc', pageRecord(1)],
    ['archive/b.warc.gz', gzipMembers([pageRecord(2)])],
    ['archive/c.WARC.zst', frames],
    ['indexes/index.cdx.gz', gzipSync('no archive')],
    ['other/d.warc', pageRecord(9)],
  ];
  for (const compress of [false, true]) {
    const { captures, faults } = await readFile(await waczOf(t, files, compress));
    assert.deepEqual([captures.map(({ url }) => url.at(-1)).join(''), faults.length], ['1234', 0]);
  }
});

test('an archive whose bytes are not those of the checksum in the ZIP is damaged, once, and the next one is read', async (t) => {
  const plain: [string, Buffer][] = [
    ['archive/a.warc', Buffer.concat([pageRecord(1), pageRecord(2)])],
    ['archive/b.warc', pageRecord(3)],
  ];
  const packed: [string, Buffer][] = [
    ['archive/a.warc.gz', gzipMembers([pageRecord(1), pageRecord(2)])],
    ['archive/b.warc.gz', gzipMembers([pageRecord(3)])],
  ];
  for (const files of [plain, packed]) {
    const path = await waczOf(t, files);
    const bytes = readFileSync(path);
    const body = files[0]![1];
    const at = bytes.indexOf(body) + body.length - 40;
    bytes[at]! ^= 1;
    writeFileSync(path, bytes);
    const { captures, faults } = await readFile(path);
    assert.equal(captures.at(-1)?.url, 'https://example.org/3');
    assert.deepEqual(
      faults.map(({ isDamage }) => isDamage),
      [true],
    );
    assert.match(faults[0]!.where, /x\.wacz\/archive\/a\.warc/);
  }
});
