import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppOptions, buildApp } from '../../src/service/app.ts';
import { build, buildPages, input, PRINTED, temporaryFolder } from '../indexer/build.ts';
import { longTest } from '../long-test.ts';

const PAGES = ['salt', 'tide', 'keel'].map((word, i) => ({
  url: `https://harbour.example/${i}`,
  html: `<title>${word}</title><p>${word} harbour rope ${word} anchor`,
}));

interface Curve {
  readonly similarity: number;
  readonly recall: number;
}

async function curveOf(indexPath: AppOptions['indexPath']): Promise<Map<number, number>> {
  const app = await buildApp({ indexPath });
  const { relations } = (await app.inject('/index')).json() as { relations: { s_curve: Curve[] }[] };
  await app.close();
  return new Map(relations[0]!.s_curve.map(({ similarity, recall }) => [similarity, recall]));
}

test('the S-curve is that of the stored signature and filter', async (t) => {
  const { target, reader } = await buildPages(t, PAGES, { ...PRINTED, copies: false });
  // Section 4 of the paper: k = 3, l = 125, and of the pairs at .2 those that agree in 16 of 80 values.
  const printed = await curveOf(target);
  assert.ok(Math.abs(printed.get(0.2)! - 0.4) < 0.01, `${printed.get(0.2)}`);
  assert.equal(printed.get(1), 1);
  reader.close();
  const few = await buildPages(t, PAGES, { ...PRINTED, copies: false, filterValues: 20 });
  // 4 of 20 pass more easily at .1, and less surely at .3, than 16 of 80.
  const cut = await curveOf(few.target);
  assert.ok(cut.get(0.1)! > 3 * printed.get(0.1)!, `${cut.get(0.1)}`);
  assert.ok(cut.get(0.3)! < printed.get(0.3)! - 0.02, `${cut.get(0.3)}`);
});

longTest('files of a folder that are no pages are counted by extension', async (t) => {
  const root = join(temporaryFolder(t), 'public');
  mkdirSync(root);
  for (const [i, { html }] of PAGES.entries()) writeFileSync(join(root, `${i}.html`), html);
  for (const name of ['feed.xml', 'a.md', 'b.md']) writeFileSync(join(root, name), 'none');
  const { target, reader } = await build(t, { inputs: [input(root, 'https://harbour.example/')] });
  reader.close();
  const app = await buildApp({ indexPath: target });
  const { sweeps } = (await app.inject('/index')).json() as { sweeps: Record<string, unknown>[] };
  await app.close();
  assert.deepEqual(
    [sweeps[0]!['skipped'], sweeps[0]!['skipped_files']],
    [{ media_type: 3 }, { '.md': 2, '.xml': 1 }],
  );
});
