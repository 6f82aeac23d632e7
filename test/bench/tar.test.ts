import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TarFile, tarFiles } from '../../bench/corpora/tar.ts';

function entry(name: string, body: string, { type = '0', prefix = '' } = {}): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(Buffer.byteLength(body).toString(8).padStart(11, '0'), 124);
  header.write(type, 156);
  header.write('ustar\0' + '00', 257);
  header.write(prefix, 345);
  const padded = Buffer.alloc(Math.ceil(Buffer.byteLength(body) / 512) * 512);
  padded.write(body);
  return Buffer.concat([header, padded]);
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, chunkBytes = 700): Promise<[string, string][]> {
  const files: TarFile[] = [];
  for await (const file of tarFiles(chunksOf(bytes, chunkBytes))) files.push(file);
  return files.map(({ path, body }) => [path, body.toString()]);
}

const END = Buffer.alloc(1024);
const LONG = `long/${'n'.repeat(120)}.html`;

test('files come in order, folders are passed over, an empty file is a file', async () => {
  const archive = [entry('a/', '', { type: '5' }), entry('a/b.html', 'x'.repeat(513)), entry('a/c', ''), END];
  assert.deepEqual(await read(Buffer.concat(archive)), [
    ['a/b.html', 'x'.repeat(513)],
    ['a/c', ''],
  ]);
});

test('long names are read in all three forms', async () => {
  const pax = `${LONG.length + 10} path=${LONG}\n`;
  const archive = [
    entry('name.html', 'one', { prefix: 'far/away' }),
    entry('././@LongLink', `${LONG}\0`, { type: 'L' }),
    entry('cut', 'two'),
    entry('PaxHeader', pax, { type: 'x' }),
    entry('cut', 'three'),
    entry('short', 'four'),
    END,
  ];
  for (const chunkBytes of [1, 511, 512, 100_000]) {
    assert.deepEqual(await read(Buffer.concat(archive), chunkBytes), [
      ['far/away/name.html', 'one'],
      [LONG, 'two'],
      [LONG, 'three'],
      ['short', 'four'],
    ]);
  }
});

test('an archive that ends inside a file is refused', async () => {
  await assert.rejects(read(entry('a', 'x'.repeat(2000)).subarray(0, 1500)), /ends inside a/);
});
