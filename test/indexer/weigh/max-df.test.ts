import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostPages } from '../../../src/indexer/weigh/frequencies.ts';
import { buildPages, pageOf } from '../build.ts';

/** Ten pages: all have one word, five another, two a third, and each one of its own. */
const PAGES = Array.from({ length: 10 }, (_, i) => {
  const words = ['everywhere', ...(i < 5 ? ['halfway'] : []), ...(i < 2 ? ['lantern'] : [])];
  return { url: `http://site.example/${i}`, html: `<p>${words.join(' ')} ${'abcdefghij'[i]}lone</p>` };
});

test('words of a larger share of the pages are dropped, however few pages there are', async (t) => {
  for (const [maxPageShare, expected] of [
    [1, ['everywhere', 'halfway', 'lantern']],
    [0.5, ['halfway', 'lantern']],
    [0.2, ['lantern']],
    [0, ['lantern']],
  ] as const) {
    const { reader } = await buildPages(t, PAGES, { parts: { content: 1 }, maxPageShare, copies: false });
    const { features } = reader.bag(1, pageOf(reader, 'http://site.example/0').id);
    const terms = Array.from(features, (id) => reader.feature(1, id).term);
    const shared = expected.filter((word) => word !== 'everywhere');
    assert.deepEqual(terms.filter((term) => term !== 'everywhere').toSorted(), shared, `${maxPageShare}`);
  }
});

test('a word may be on as many pages as the share says in whole numbers', () => {
  for (let percent = 1; percent <= 100; percent++) {
    for (let pageCount = 1; pageCount <= 1000; pageCount++) {
      const hundredths = percent * pageCount;
      const most = Math.max(2, (hundredths - (hundredths % 100)) / 100);
      assert.equal(mostPages(pageCount, Number(`${percent}e-2`)), most, `${percent} % of ${pageCount}`);
    }
  }
});
