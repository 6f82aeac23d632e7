/** Which words begin so on most pages is counted over all shards, also of words that no single shard has among its first. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Random } from '../../../src/lib/random.ts';
import { openIndex } from '../../../src/service/reads/shards/open-shards.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const random = new Random(5);
const WORDS = Array.from({ length: 60 }, (_, i) => `seed${String.fromCharCode(97 + (i % 26))}${i}`);
/** Half of the words on each page: their counts are close to each other, in an order of its own in each shard. */
const pages = Array.from({ length: 90 }, (_, i) => ({
  url: `https://words.example/${i}`,
  text: WORDS.filter(() => random.below(2) === 0).join(' '),
}));
const truth = WORDS.map((word) => ({
  word,
  pageCount: pages.filter(({ text }) => text.split(' ').includes(word)).length,
})).sort((a, b) => b.pageCount - a.pageCount || (a.word < b.word ? -1 : 1));

test('the most frequent words of shards are those of all their pages', async () => {
  const indexes = recordIndexes(temporaryFolder({ after }));
  const { target } = await indexes.build('words', pages);
  const index = await openIndex(await indexes.split(target), { preload: false });
  try {
    for (const limit of [1, 3, 8, 32, 60, 100]) {
      const { value } = await index.answer((reads) => reads.frequentWords('seed', limit));
      assert.deepEqual(value, truth.slice(0, limit), `the first ${limit}`);
    }
    assert.deepEqual((await index.answer((reads) => reads.frequentWords('none', 3))).value, []);
  } finally {
    index.close();
  }
});
