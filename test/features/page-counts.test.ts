import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage, type PageCounts } from '../../src/features/counts/page-counts.ts';
import type { ExtractedPage } from '../../src/page/extracted-page.ts';
import { forEachWord } from '../../src/text/words.ts';
import { processorMs } from '../processor-time.ts';

type AnchorSpan = Parameters<typeof countPage>[1][number];

const SEED = 20263;
const STOP_WORDS = new Set(['the', 'to', 'of', 'in']);

type Marked = Pick<ExtractedPage, 'title' | 'lang' | 'text'> & {
  readonly links: readonly AnchorSpan[];
  readonly isPlain?: boolean;
};

/** A page whose links are the passages between ⟨ and ⟩ (‹ and › for nofollow ones). */
function page(marked: string, rest: Partial<Marked> = {}): Marked {
  const links: AnchorSpan[] = [];
  let text = '';
  let start = 0;
  for (const character of marked) {
    if (character === '⟨' || character === '‹') start = text.length;
    else if (character === '⟩' || character === '›') {
      links.push({ start, end: text.length, nofollow: character === '›' });
    } else text += character;
  }
  return { title: '', lang: 'en', text, links, ...rest };
}

function count(marked: Marked, windowWords = 2): PageCounts {
  const analyzer = new Analyzer({ stopWords: STOP_WORDS, spill: () => {} });
  return countPage(marked, marked.links, analyzer, { windowWords });
}

function windowsOf(marked: string, windowWords = 2): Record<string, number>[] {
  return count(page(marked), windowWords).fragments.map(({ counts }) => Object.fromEntries(counts.toMap()));
}

test('the first line of a plain text is no title of its own', () => {
  const line = 'Growing roses';
  const title = (given: object) => [
    ...count(page(`${line}\nthe rest`, given))
      .title.toMap()
      .keys(),
  ];
  assert.deepEqual(title({ title: line, isPlain: true }), []);
  assert.deepEqual(title({ title: line, isPlain: false }), ['grow', 'rose']);
  assert.deepEqual(title({ title: 'Pruning', isPlain: true }), ['prune']);
  const long = page(`${'word '.repeat(40)}`);
  assert.equal(count({ ...long, title: 'word '.repeat(16).trim(), isPlain: true }).title.size, 0);
});

test('content counts stems without stop words, wordCount counts all words', () => {
  const counts = count(
    page('The roses of the garden: growing a rose.', { title: 'Growing Roses in Gardens' }),
  );
  assert.deepEqual(Object.fromEntries(counts.content.toMap()), { rose: 2, garden: 1, grow: 1 });
  assert.deepEqual(Object.fromEntries(counts.title.toMap()), { grow: 1, rose: 1, garden: 1 });
  assert.equal(counts.wordCount, 7);
});

test('a page in another language is not stemmed, one that does not say is', () => {
  assert.deepEqual(
    [
      ...count(page('running', { lang: 'de' }))
        .content.toMap()
        .keys(),
    ],
    ['running'],
  );
  assert.deepEqual(
    [
      ...count(page('running', { lang: null }))
        .content.toMap()
        .keys(),
    ],
    ['run'],
  );
});

test('an anchor window is the anchor and the words on either side, stop words counted and dropped', () => {
  assert.deepEqual(windowsOf('one best ⟨guide⟩ to roses now'), [{ on: 1, best: 1, guid: 1, rose: 1 }]);
});

test('a window stops at the ends of the text', () => {
  assert.deepEqual(windowsOf('⟨alpha⟩ beta'), [{ alpha: 1, beta: 1 }]);
  assert.deepEqual(windowsOf('alpha ⟨beta⟩'), [{ alpha: 1, beta: 1 }]);
  assert.deepEqual(windowsOf('⟨alpha⟩', 0), [{ alpha: 1 }]);
});

test('an empty anchor takes the words around its place', () => {
  assert.deepEqual(windowsOf('alpha beta ⟨⟩ gamma delta', 1), [{ beta: 1, gamma: 1 }]);
  assert.deepEqual(windowsOf('alpha be⟨⟩ta gamma', 0), [{ beta: 1 }]);
});

test('a word that only begins in an anchor belongs to it', () => {
  assert.deepEqual(windowsOf('alpha ⟨bet⟩as gamma', 0), [{ beta: 1 }]);
});

test('nofollow links and windows of stop words alone give no fragment, the others keep their index', () => {
  const counts = count(page('‹alpha› the of ⟨the⟩ of in ⟨beta⟩'), 1);
  assert.deepEqual(
    counts.fragments.map((fragment) => fragment.link),
    [2],
  );
});

test('every window is what a slow reading of the same page gives', () => {
  const word = fc.constantFrom('alpha', 'the', 'beta', 'gamma', 'of', 'delta', 'epsilon', 'x');
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
  const spans = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 10 });
  fc.assert(
    fc.property(text, spans, fc.nat({ max: 5 }), (content, ends, windowWords) => {
      const links = ends.map(([a, b]) => {
        const [start, end] = [a % (content.length + 1), b % (content.length + 1)].sort((x, y) => x - y);
        return { start: start!, end: end!, nofollow: false };
      });
      const { fragments } = count(page(content, { links, lang: 'la' }), windowWords);
      const got = new Map(fragments.map(({ link, counts }) => [link, Object.fromEntries(counts.toMap())]));
      for (const [link, { start, end }] of links.entries()) {
        assert.deepEqual(got.get(link) ?? {}, slowWindow(content, start, end, windowWords));
      }
    }),
    { seed: SEED, numRuns: 500 },
  );
});

function slowWindow(text: string, from: number, to: number, windowWords: number): Record<string, number> {
  const words: { word: string; start: number; end: number }[] = [];
  forEachWord(text, (word, start, end) => words.push({ word, start, end }));
  const before = words.filter(({ end }) => end <= from);
  const after = words.filter(({ start, end }) => end > from && start >= to);
  const inside = words.filter(({ start, end }) => end > from && start < to);
  const window = [
    ...(windowWords === 0 ? [] : before.slice(-windowWords)),
    ...inside,
    ...after.slice(0, windowWords),
  ];
  const counts: Record<string, number> = {};
  for (const { word } of window) if (!STOP_WORDS.has(word)) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

test('ten thousand links on a page take well under a second', () => {
  const marked = Array.from({ length: 10_000 }, (_, i) => `see ⟨entry ${'abcdefghij'[i % 10]}bc⟩`).join(' ');
  const ms = processorMs(() => assert.equal(count(page(marked), 8).fragments.length, 10_000));
  assert.ok(ms < 1000, `${ms} ms`);
});

test('words of headings are counted where they are asked for, with the places of their first uses', () => {
  const text = 'Growing roses\nThe rose was red.\nOf red roses\nroses';
  const headings = [
    { start: 0, end: 13 },
    { start: text.indexOf('Of'), end: text.indexOf('Of') + 12 },
  ];
  const analyzer = new Analyzer({ stopWords: STOP_WORDS, spill: () => {} });
  const countOf = (asked: boolean) =>
    countPage({ title: 'Roses', text, lang: 'en', headings }, [], analyzer, {
      windowWords: 2,
      headings: asked,
    });
  const { heading, content, title, words } = countOf(true);
  assert.deepEqual(Object.fromEntries(heading.toMap()), { grow: 1, rose: 2, red: 1 });
  assert.deepEqual(
    Array.from(heading.firsts, (word) => text.slice(words.starts[word], words.ends[word])),
    ['Growing', 'roses', 'red'],
  );
  assert.deepEqual(Object.fromEntries(content.toMap()), { grow: 1, rose: 4, wa: 1, red: 2 });
  assert.deepEqual(Object.fromEntries(title.toMap()), { rose: 1 });
  assert.deepEqual([countOf(false).heading.size, countOf(false).bigram], [0, null]);
});
