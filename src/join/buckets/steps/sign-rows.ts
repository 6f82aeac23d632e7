/**
 * Tasks that run the min-hash kernel over the bags of a unit of pages: the one-byte rows of the filter, and
 * the columns of min-hash values that sort pages into buckets.
 *
 * Rows and columns use functions of different seeds: a bucket's members agree in the value that made the
 * bucket, and must not for that reason look more alike to the filter.
 */

import { Random } from '../../../lib/random.ts';
import { GROUP_FUNCTIONS, ROW_BYTES } from '../../../sketch/page-kernel.ts';
import { BATCH_ENTRIES, BATCH_PAGES } from '../space/join-scratch.ts';
import { UNIT_PAGES } from '../space/join-space.ts';
import type { JoinThread } from '../space/join-thread.ts';

const ROW_GROUPS = ROW_BYTES / GROUP_FUNCTIONS;
const ROW_STREAM = 0x726f7773;
const COLUMN_STREAM = 0x636f6c73;

/** Writes the rows of the unit's pages. */
export function signRows(thread: JoinThread, unit: number): void {
  writeFunctions(thread, ROW_STREAM, ROW_GROUPS);
  forEachBatch(thread, unit, (first, pageCount) => {
    sign(thread, pageCount, ROW_GROUPS, thread.space.rows + ROW_BYTES * first, 1);
  });
}

/** Writes GROUP_FUNCTIONS columns, those of number `block`, for the unit's pages. */
export function signColumns(thread: JoinThread, unit: number, block: number): void {
  const { columns, bags } = thread.space;
  const total = bags.sums.length;
  const out = thread.at('signed') >>> 2;
  const { words } = thread;
  writeFunctions(thread, COLUMN_STREAM + block, 1);
  forEachBatch(thread, unit, (first, pageCount) => {
    sign(thread, pageCount, 1, thread.at('signed'), 0);
    for (let column = 0; column < GROUP_FUNCTIONS; column++) {
      const start = column * total + first;
      for (let i = 0; i < pageCount; i++) columns[start + i] = words[out + i * GROUP_FUNCTIONS + column]!;
    }
  });
}

function sign(thread: JoinThread, pageCount: number, groups: number, out: number, bytes: 0 | 1): void {
  thread.kernel.signPages(
    thread.at('features'),
    thread.at('weights'),
    thread.at('starts'),
    pageCount,
    thread.at('functions'),
    groups,
    thread.at('elements'),
    out,
    bytes,
  );
}

function writeFunctions(thread: JoinThread, stream: number, groups: number): void {
  const random = new Random(thread.space.seed ^ stream);
  const at = thread.at('functions') >>> 2;
  for (let group = 0; group < groups; group++) {
    for (let lane = 0; lane < GROUP_FUNCTIONS; lane++) {
      thread.words[at + 32 * group + lane] = random.nextUint32() | 1;
      thread.words[at + 32 * group + lane + 16] = random.nextUint32();
    }
  }
}

/** Copies bags into the scratch, batch by batch. */
function forEachBatch(
  thread: JoinThread,
  unit: number,
  visit: (first: number, pageCount: number) => void,
): void {
  const { entries, words, bytes } = thread;
  const { starts, ends, sums } = thread.space.bags;
  const end = Math.min(sums.length, (unit + 1) * UNIT_PAGES);
  const positions = thread.at('starts') >>> 2;
  const toFeatures = thread.at('features') >>> 2;
  const toWeights = thread.at('weights');
  let first = unit * UNIT_PAGES;
  while (first < end) {
    let page = first;
    let size = 0;
    for (; page < end && page - first < BATCH_PAGES; page++) {
      const length = ends[page]! - starts[page]!;
      if (size + length > BATCH_ENTRIES) break;
      const at = entries.locate(starts[page]!, ends[page]!);
      const { features, weights } = entries;
      for (let i = 0; i < length; i++) {
        words[toFeatures + size + i] = features[at + i]!;
        bytes[toWeights + size + i] = weights[at + i]!;
      }
      words[positions + page - first] = size;
      size += length;
    }
    words[positions + page - first] = size;
    visit(first, page - first);
    first = page;
  }
}
