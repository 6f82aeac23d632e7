import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { MarkedKeys, numberRepeated } from '../../src/sketch/marked-keys.ts';

const PAGES = 40;

/** Ranges of ascending keys end to end: many in common, of any size, 0 among them, no two of a range alike. */
function ranges(random: Random): number[][] {
  return Array.from({ length: PAGES }, () => {
    const size = random.below(300);
    const keys = Array.from({ length: size }, () => 25 * random.below(500) * 2 ** random.below(40));
    return [...new Set(keys)].sort((a, b) => a - b);
  });
}

test('keys in common are counted as two sets count them', () => {
  const random = new Random(7);
  const pages = ranges(random);
  const ends = pages.map((_, i) => pages.slice(0, i + 1).flat().length);
  const rangeOf = (page: number) => [ends[page]! - pages[page]!.length, ends[page]!] as const;
  const marked = new MarkedKeys(numberRepeated(Float64Array.from(pages.flat())));
  for (let round = 0; round < 2000; round++) {
    const a = random.below(PAGES);
    const b = (a + 1 + random.below(PAGES - 1)) % PAGES;
    const [from, to] = rangeOf(b);
    const needed = random.below(40);
    const cut = from + random.below(to - from + 1);
    marked.mark(...rangeOf(a));
    const own = new Set(pages[a]);
    const shared = pages[b]!.slice(0, cut - from).filter((key) => own.has(key)).length;
    const counted = marked.countIn(from, cut, needed);
    if (shared >= needed) assert.equal(counted, shared);
    else assert.ok(counted === -1 || counted === shared, `${counted} of ${shared}`);
  }
});
