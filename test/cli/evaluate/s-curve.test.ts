import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EvaluationReport } from '../../../src/cli/evaluate/report.ts';
import { newFolder } from '../../new-folder.ts';
import { GARDEN_JSONL, GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin, reportOf } from '../terminal.ts';

const folder = newFolder('s-curve');
after(() => rmSync(folder, { recursive: true }));

test('the S-curve is that of the values that the filter of the index compares', async () => {
  const [source, labels, target] = ['garden.jsonl', 'labels.tsv', 'filter.akin'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(source, GARDEN_JSONL);
  const lines = GARDEN_PAGES.map(({ url }) => `${url}\t${topicOf(url)}\n`);
  writeFileSync(labels, `url\tlabel\n${lines.join('')}`);
  const sets = ['filter-values=25', 'floor=.28', 'cluster-at=.3'].flatMap((one) => ['--set', one]);
  const small = ['--max-df', '1', '--min-df', '1', '--workers', '1'];
  const built = await akin([
    ...['index', source, '--to', target, '--profile', 'haveliwala2000'],
    ...sets,
    ...small,
  ]);
  assert.equal(built.code, 0, built.stderr);
  const { code, stdout, stderr } = await akin(['evaluate', target, '--json', '--labels', labels]);
  assert.equal(code, 0, stderr);
  const { sCurve } = reportOf(stdout) as Pick<EvaluationReport, 'sCurve'>;
  // 28 % of 25 values are 7.
  assert.deepEqual([sCurve?.valuesCompared, sCurve?.leastAgreement], [25, 7]);
});
