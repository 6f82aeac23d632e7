import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Random } from '../../../src/lib/random.ts';
import { zstdPack, zstdUnpack } from '../../../src/store/blobs/zstd.ts';

const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 5 } };
const random = new Random(5);
const noise = (size: number) => Buffer.from(Uint8Array.from({ length: size }, () => random.below(256)));
const words = (size: number) =>
  Buffer.from('pages of roses, hedges and ponds; '.repeat(size / 34 + 1)).subarray(0, size);
const CONTENTS = [0, 1, 255, 256, 257, 3000, 65_536, 70_000, 1_500_000, 40].flatMap((size) => [
  words(size),
  noise(size),
]);

test('frames are those of zlib, whatever was packed before', () => {
  for (const content of CONTENTS) {
    const frame = zstdPack(content);
    assert.deepEqual(Buffer.from(frame), zstdCompressSync(content, LEVEL));
    assert.deepEqual(zstdUnpack(frame), content);
  }
});

test('a damaged frame is read as zlib reads it, and does not spoil the next one', () => {
  const content = Buffer.concat([words(700), noise(90), words(200)]);
  const frame = zstdPack(content);
  const damaged = Array.from(frame, (byte, at) => {
    const bytes = Buffer.from(frame);
    bytes[at] = byte ^ (1 << (at & 7));
    return [bytes, frame.subarray(0, at)];
  }).flat();
  for (const bytes of [...damaged, Buffer.concat([frame, words(9)])]) {
    assert.deepEqual(outcome(zstdUnpack, bytes), outcome(zstdDecompressSync, bytes));
    assert.deepEqual(zstdUnpack(frame), content);
  }
});

function outcome(unpack: (bytes: Uint8Array) => Buffer, bytes: Uint8Array): Buffer | string {
  try {
    return unpack(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}
