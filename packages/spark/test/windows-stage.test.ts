import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteReader, ByteWriter } from '../../../src/indexer/files/records/bytes.ts';
import { AnchorSum } from '../../../src/indexer/gather/records/anchor-sum.ts';
import { writeCaptures, writeWindow } from '../../../src/indexer/gather/records/page-record.ts';
import { windowsStage } from '../src/pages/windows.ts';
import { runRows } from './run-rows.ts';

const URL = 'http://hot.example/';

/** The windows of a page with a link for each text, as the stage reads them. */
function windowsOf(texts: readonly string[]): Uint8Array {
  const [all, one] = [new ByteWriter(), new ByteWriter()];
  for (const [sequence, anchorText] of texts.entries()) {
    one.clear();
    const words = { keys: Float64Array.of(7), tfs: Uint32Array.of(1) };
    writeWindow(one, { url: URL, anchorText, words, from: 0, to: 1 });
    writeCaptures(one, [sequence]);
    const bytes = Uint8Array.from(one.view());
    all.varint(bytes.length);
    all.raw(bytes);
  }
  return Uint8Array.from(all.view());
}

const different = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);

test('all anchor texts of a URL are summed', async () => {
  const rows = await runRows(windowsStage, [
    { windows: windowsOf(['b', ...different(4000)]) },
    { windows: windowsOf(['b']) },
  ]);
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0]!.url, rows[0]!.window_count, rows[0]!.left_out_texts], [URL, 4002, 0]);
});

test('of too many anchor texts the most frequent go on, and all words', async () => {
  const rows = await runRows(windowsStage, [
    { windows: windowsOf([...different(10_000), 'name']) },
    { windows: windowsOf(['name']) },
  ]);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!.left_out_texts, 10_001 - 4096);
  const sum = new AnchorSum();
  sum.begin(true);
  sum.addPacked(new ByteReader(rows[0]!.windows));
  assert.equal(sum.mostFrequentText(), 'name');
  const { keys, sums } = sum.takeWords();
  assert.deepEqual([[...keys], [...sums]], [[7], [10_002]]);
});
