/** `akin tune` on the share of vectors: proposed where labels prove it, as an index with it answers. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { akin } from './terminal.ts';
import { createBelow, folder, makeIndex, precisionOf, randomText, TOPICS, tune } from './tune-web.ts';

const COUNT = 96;
const below = createBelow();
const draw = () => below(2001) / 1000 - 1;
const kinds = Array.from({ length: TOPICS }, () => Array.from({ length: 8 }, draw));

/** Words are drawn by lot; what vectors say tells the subject of all but a few. */
const pages = Array.from({ length: COUNT }, (_, i) => ({
  url: `https://site${i % 3}.example/${i % 4}/${i}`,
  text: randomText(below),
  ...(i % 11 !== 0 && { vectors: { mini: kinds[i % TOPICS]!.map((one) => one + 0.6 * draw()) } }),
}));

function labels(name: string, labelOf: (i: number) => number): string {
  const path = join(folder, name);
  writeFileSync(path, `url\tlabel\n${pages.map(({ url }, i) => `${url}\tl${labelOf(i)}\n`).join('')}`);
  return path;
}

const bySubject = labels('meaning.tsv', (i) => i % TOPICS);

test('it proposes a share that labels prove, and tells what an index with it answers', async () => {
  const index = await makeIndex('meaning', [pages], '--parts', 'content');
  const report = await tune(index, '--labels', bySubject);
  assert.match(report.options, /^--parts content=[\d.]+.* --meaning-share 0\.(15|3|5)$/);
  assert.ok(report.isBetter && report.after.heldOut > report.before.heldOut + 0.3);
  const better = await makeIndex('meaning-better', [pages], ...report.options.split(' '));
  const mean = ({ tuned, heldOut }: { tuned: number; heldOut: number }) =>
    (tuned * report.tunedCount + heldOut * report.heldOutCount) / COUNT;
  assert.ok(Math.abs(precisionOf(index) - mean(report.before)) < 1e-9);
  assert.ok(Math.abs(precisionOf(better) - mean(report.after)) < 1e-9, `${precisionOf(better)}`);
  const { stdout } = await akin(['tune', better, '--labels', bySubject]);
  assert.match(stdout, /^shares now +content=1, meaning 0\.\d+$/m);
});

test('without labels folders can judge, and it proposes none', async () => {
  const index = await makeIndex('meaning', [pages], '--parts', 'content');
  const { stdout } = await akin(['tune', index, '--judge', 'sections']);
  assert.match(stdout, /^judge +sections: /m);
  assert.doesNotMatch(stdout, /meaning 0|--meaning/);
});

test('it proposes none where labels say nothing of it', async () => {
  const index = await makeIndex('meaning', [pages], '--parts', 'content');
  const byLot = await tune(
    index,
    '--labels',
    labels('lot.tsv', () => below(TOPICS)),
  );
  assert.equal(byLot.options, null);
});
