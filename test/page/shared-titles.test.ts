import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedTitles, withoutShared } from '../../src/page/shared-titles.ts';

const WORDS = ['Bread', 'Salt', 'Water', 'Yeast', 'Flour', 'Oven', 'Crust', 'Crumb'];

function shown(titles: readonly string[]): string[] {
  const counted = new SharedTitles();
  for (const title of titles) counted.add(title);
  const shared = counted.take();
  return titles.map((title) => withoutShared(title, shared));
}

for (const between of [' - ', ' | ', ' · ', ' — ', ' – ', ' :: ']) {
  test(`what titles share behind or before "${between}" is cut`, () => {
    assert.deepEqual(shown(WORDS.map((word) => `${word}${between}The Baker`)), WORDS);
    assert.deepEqual(shown(WORDS.map((word) => `The Baker${between}${word}`)), WORDS);
  });
}

test('a colon stands behind a name, not before one', () => {
  assert.deepEqual(shown(WORDS.map((word) => `Manual: ${word}`)), WORDS);
  const own = WORDS.map((word) => `${word}: The Baker`);
  assert.deepEqual(shown(own), own);
});

test('of parts that are shared the longest goes, and the own parts of a title stay', () => {
  assert.deepEqual(
    shown(WORDS.map((word) => `${word} — how it works — Book - The Baker`)),
    WORDS.map((word) => word),
  );
  assert.deepEqual(
    shown(WORDS.map((word, i) => `${word} - part ${i} | The Baker`)),
    WORDS.map((word, i) => `${word} - part ${i}`),
  );
});

test('fewer than five titles, or fewer than half of them, share nothing', () => {
  const four = WORDS.slice(0, 4).map((word) => `${word} | The Baker`);
  assert.deepEqual(shown(four), four);
  const five = WORDS.slice(0, 5).map((word) => `${word} | The Baker`);
  assert.deepEqual(shown(five), WORDS.slice(0, 5));
  const others = Array.from({ length: 5 }, (_, i) => `Page ${i}`);
  assert.deepEqual(shown([...five, ...others]), [...WORDS.slice(0, 5), ...others]);
  assert.deepEqual(shown([...five, ...others, 'One more']), [...five, ...others, 'One more']);
});

test('no title is cut to nothing, and order and repetition make no difference', () => {
  const titles = [...WORDS.map((word) => `${word} | The Baker`), 'The Baker', ' | The Baker', 'Home'];
  const cut = [...WORDS, 'The Baker', ' | The Baker', 'Home'];
  assert.deepEqual(shown(titles), cut);
  assert.deepEqual(shown(titles.toReversed()), cut.toReversed());
  const often = [...Array.from({ length: 99 }, () => 'Home'), ...titles];
  assert.deepEqual(shown(often), [...Array.from({ length: 99 }, () => 'Home'), ...cut]);
});

test('hosts are counted one by one', () => {
  const counted = new SharedTitles();
  for (const word of WORDS) counted.add(`${word} | The Baker`);
  assert.equal(counted.take().size, 1);
  counted.add('Bread | The Baker');
  assert.equal(counted.take().size, 0);
});
