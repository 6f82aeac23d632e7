import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeText } from '../../../src/store/blobs/sketch-blobs.ts';
import { readTextBlock, TextBlock } from '../../../src/store/blobs/text-blocks.ts';
import { zstdUnpack } from '../../../src/store/blobs/zstd.ts';

const CORRUPT = { code: 'AKIN_ERR_INDEX_CORRUPT' };

test('texts of a block come back as they were, block after block', () => {
  const block = new TextBlock();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' }))), (pages) => {
      const texts = pages.map(([title, text]) => encodeText(title, text));
      for (const text of texts) block.add(text);
      assert.equal(block.count, texts.length);
      const read = readTextBlock(block.pack()).map((text) => Buffer.from(text));
      assert.deepEqual(read, texts.map(Buffer.from));
      assert.equal(block.count, 0);
    }),
    { seed: 9, numRuns: 200 },
  );
});

test('a block from 112 KB on is full behind a text of four bytes, or a multiple; one of 256 KB behind any', () => {
  const block = new TextBlock();
  block.add(new Uint8Array(112 * 1024 - 1));
  assert.equal(block.isFull, false);
  block.add(new Uint8Array(1));
  assert.equal(block.isFull, false);
  block.add(new Uint8Array(8));
  assert.equal(block.isFull, true);
  block.pack();
  assert.equal(block.isFull, false);
  block.add(new Uint8Array(4));
  assert.equal(block.isFull, false);
  for (const size of [256 * 1024 - 5, 1]) {
    block.add(new Uint8Array(size));
    assert.equal(block.isFull, size === 1);
  }
});

test('a block that is known is not packed again', () => {
  const fill = () => {
    const block = new TextBlock();
    for (const text of ['one', 'two']) block.add(encodeText('title', text));
    return block;
  };
  const packed = fill().pack();
  const known = Uint8Array.of(1, 2, 3);
  assert.deepEqual(
    fill().pack((block) => (Buffer.compare(zstdUnpack(packed), block) === 0 ? known : null)),
    known,
  );
  assert.deepEqual(
    fill().pack(() => null),
    packed,
  );
});

test('a damaged block is refused', () => {
  const block = new TextBlock();
  block.add(encodeText('a', 'some text'));
  const packed = block.pack();
  assert.throws(() => readTextBlock(packed.subarray(0, -2)), CORRUPT);
  assert.throws(() => readTextBlock(packed.slice().fill(255, 0, 4)), CORRUPT);
});
