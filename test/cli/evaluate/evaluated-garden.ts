/** The garden, built by both profiles, with a table of labels; for the tests of `akin evaluate`. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluationReport } from '../../../src/cli/evaluate/report.ts';
import { newFolder } from '../../new-folder.ts';
import { GARDEN_JSONL, GARDEN_PAGES, topicOf } from '../garden.ts';
import { akin, reportOf } from '../terminal.ts';

export const folder = newFolder('evaluate');
export const index = join(folder, 'garden.akin');
export const printed = join(folder, 'printed.akin');
export const SMALL = ['--max-df', '1', '--min-df', '1', '--workers', '1'];

export function table(name: string, lines: readonly (readonly (string | number)[])[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((cells) => `${cells.join('\t')}\n`).join(''));
  return path;
}

export const labels = table('labels.tsv', [
  ['url', 'title', 'label'],
  ...GARDEN_PAGES.map(({ url, title }) => [url, title, topicOf(url)]),
  ['https://nowhere.example/', 'Not indexed', 'Garden/Ground'],
]);

export async function evaluate(file: string, ...argv: string[]): Promise<EvaluationReport> {
  const { code, stdout, stderr } = await akin(['evaluate', file, '--json', ...argv]);
  assert.equal(code, 0, stderr);
  return reportOf(stdout);
}

const source = join(folder, 'garden.jsonl');
writeFileSync(source, GARDEN_JSONL);
for (const [target, profile] of [
  [index, 'akin'],
  [printed, 'haveliwala2000'],
] as const) {
  const { code, stderr } = await akin(['index', source, '--to', target, '--profile', profile, ...SMALL]);
  assert.equal(code, 0, stderr);
}
