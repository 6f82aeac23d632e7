import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StreamReader } from '../../src/sources/bytes/stream-reader.ts';

const TEXT = `one\n\ntwo and three\r\n${'four '.repeat(20)}\n\nfive`;

/** All in one buffer, which is spoiled when the next chunk is asked for. */
async function* chunks(sizeBytes: number): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(TEXT);
  const chunk = Buffer.alloc(sizeBytes);
  for (let start = 0; start < all.length; start += sizeBytes) {
    const length = all.copy(chunk, 0, start, start + sizeBytes);
    yield chunk.subarray(0, length);
    chunk.fill('#');
  }
}

test('what lies across chunks is whole, though each chunk takes the place of the one before', async () => {
  for (let sizeBytes = 1; sizeBytes <= TEXT.length; sizeBytes++) {
    const lines: string[] = [];
    const reader = new StreamReader(chunks(sizeBytes));
    for (let line = await reader.readLine(200); line !== null; line = await reader.readLine(200))
      lines.push(String(line));
    assert.deepEqual(lines, TEXT.split(/\r?\n/), `lines in chunks of ${sizeBytes}`);

    const blocks = new StreamReader(chunks(sizeBytes));
    for (let at = 0; at < TEXT.length; at += 7) {
      assert.equal(
        String(await blocks.peek(15)),
        TEXT.slice(at, at + 15),
        `a look in chunks of ${sizeBytes}`,
      );
      if (at + 7 > TEXT.length) break;
      assert.equal(Buffer.from((await blocks.read(7))!).toString(), TEXT.slice(at, at + 7));
    }
  }
});
