/** The page kernel in plain JavaScript: the same results, 10 to 40 times slower. The oracle, and the fallback. */

import { mix32 } from '../lib/hash.ts';
import type { PageKernel } from './page-kernel.ts';

const ROW_BYTES = 128;
const GROUP_FUNCTIONS = 16;
const GOLDEN = 0x9e3779b1;

export function createTwin(buffer: ArrayBufferLike): PageKernel {
  const u8 = new Uint8Array(buffer);
  const u32 = new Uint32Array(buffer);

  function flatten(features: number, weights: number, count: number, elements: number): number {
    let at = elements >>> 2;
    for (let i = 0; i < count; i++) {
      const base = mix32(u32[(features >>> 2) + i]!);
      for (let j = 0; j < u8[weights + i]!; j++) u32[at++] = mix32(base ^ Math.imul(j, GOLDEN));
    }
    return at - (elements >>> 2);
  }

  function agreement(row: number, other: number): number {
    let count = 0;
    for (let i = 0; i < ROW_BYTES; i++) count += u8[row + i] === u8[other + i] ? 1 : 0;
    return count;
  }

  return {
    signPages(features, weights, starts, pageCount, functions, groups, elements, out, bytes) {
      let at = out;
      for (let page = 0; page < pageCount; page++) {
        const start = u32[(starts >>> 2) + page]!;
        const end = u32[(starts >>> 2) + page + 1]!;
        const size = flatten(features + 4 * start, weights + start, end - start, elements);
        for (let f = 0; f < groups * GROUP_FUNCTIONS; f++) {
          const lane = (functions >>> 2) + 32 * (f >>> 4) + (f & 15);
          const multiplier = u32[lane]!;
          const addend = u32[lane + 16]!;
          let least = 0xffffffff;
          for (let e = 0; e < size; e++) {
            const value = (Math.imul(multiplier, u32[(elements >>> 2) + e]!) + addend) >>> 0;
            if (value < least) least = value;
          }
          if (bytes) u8[at++] = mix32(least);
          else {
            u32[at >>> 2] = least;
            at += 4;
          }
        }
      }
    },
    rowPairs(list, size, split, rows, needs, _tile, out) {
      const ids = u32.subarray(list >>> 2, (list >>> 2) + size);
      let count = 0;
      for (let i = 0; i < (split || size); i++) {
        for (let j = split || i + 1; j < size; j++) {
          const need = Math.min(u8[needs + ids[i]!]!, u8[needs + ids[j]!]!);
          if (agreement(rows + ROW_BYTES * ids[i]!, rows + ROW_BYTES * ids[j]!) >= need) {
            u32[(out >>> 2) + count++] = ((i << 16) | j) >>> 0;
          }
        }
      }
      return count;
    },
    rowMatches(id, list, size, rows, need, out, counts) {
      let kept = 0;
      for (let j = 0; j < size; j++) {
        const other = u32[(list >>> 2) + j]!;
        const count = agreement(rows + ROW_BYTES * id, rows + ROW_BYTES * other);
        if (count < need) continue;
        u32[(out >>> 2) + kept] = other;
        u8[counts + kept++] = count;
      }
      return kept;
    },
  };
}
