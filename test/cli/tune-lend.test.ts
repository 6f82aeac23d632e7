/** `akin tune` on words that neighbors lend: proposed where labels prove it, as an index with it answers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changesFrom } from '../../src/cli/tune/tune-changes.ts';
import { defaultShape } from '../../src/indexer/options/build-options.ts';
import { requirePossible } from '../../src/indexer/options/possible.ts';
import { longTest } from '../long-test.ts';
import { createBelow, folder, makeIndex, precisionOf, TOPICS, tune, vocabulary } from './tune-web.ts';

const COUNT = 240;
const below = createBelow(11);

/** Short texts: of the words of a subject each has few, so that many of one subject share none; and words that say nothing. */
const words = Array.from({ length: TOPICS }, (_, topic) => vocabulary.filter((_, i) => i % TOPICS === topic));
const pages = Array.from({ length: COUNT }, (_, i) => ({
  url: `https://site.example/${i}`,
  text: [
    ...Array.from({ length: 5 }, () => words[i % TOPICS]![below(33)]!),
    ...Array.from({ length: 2 }, () => vocabulary[below(vocabulary.length)]!),
  ].join(' '),
}));

longTest(
  'it proposes that neighbors lend words where labels prove it, and tells what an index with it answers',
  async () => {
    const path = join(folder, 'lend.tsv');
    writeFileSync(path, `url\tlabel\n${pages.map(({ url }, i) => `${url}\tl${i % TOPICS}\n`).join('')}`);
    const index = await makeIndex('lend', [pages], '--parts', 'content');
    const report = await tune(index, '--labels', path);
    assert.match(report.options, /^--parts content=1 --lend 0\.1$/);
    assert.ok(report.changes.some(({ name }: { name: string }) => name === 'lend 0 to 0.1'));
    const better = await makeIndex('lend-better', [pages], ...report.options.split(' '));
    for (const [file, { tuned, heldOut }] of [
      [index, report.before],
      [better, report.after],
    ]) {
      const mean = (tuned * report.tunedCount + heldOut * report.heldOutCount) / COUNT;
      // Lent weights are rounded by the numbers of features, which an index of fewer parts has others of.
      const most = file === index ? 1e-9 : 0.005;
      const precision = precisionOf(file);
      assert.ok(Math.abs(precision - mean) < most, `${file}: ${precision}, ${mean}`);
    }
    // What the other kernel gains without lending is not what it gains alone.
    assert.equal(report.kernelHits.length, 2);
    assert.deepEqual((await tune(better, '--labels', path)).kernelHits, []);
  },
);

test('whatever it tries, an index can be built with', () => {
  const possible = { parts: ['content', 'title'], shares: [0, 0.15], lends: [0, 0.1] };
  const plain = { kernel: 'jaccard', meaningShare: 0, meaningVectors: '', lend: 0 } as const;
  let settings = [{ ...plain, parts: { content: 0.9, title: 0.1 } } as Parameters<typeof changesFrom>[0]];
  for (let step = 1; step <= 3; step++) {
    settings = settings.flatMap((setting) => changesFrom(setting, possible)).map(({ setting }) => setting);
    for (const setting of settings) requirePossible({ ...defaultShape(), ...setting });
  }
  assert.deepEqual(new Set(settings.map(({ kernel }) => kernel)), new Set(['jaccard', 'bm25']));
});
