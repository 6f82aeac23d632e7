/** Runs a stage over rows in memory, through the lines that it would read and write. */
import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DEFAULTS } from '../../../test/indexer/build.ts';
import { type Columns, LineFormat, type RowOf } from '../src/record/columns.ts';
import type { Stage } from '../src/record/stage.ts';
import { runStage } from '../src/run-stage.ts';

export async function runRows<In extends Columns, Out extends Columns>(
  stage: Stage<In, Out>,
  rows: readonly RowOf<In>[],
  found: Record<string, unknown> = {},
  options: Partial<typeof DEFAULTS> = {},
): Promise<RowOf<Out>[]> {
  const format = new LineFormat(stage.input);
  const output = new PassThrough();
  const written = text(output);
  const lines = Readable.from(rows.map((row) => Buffer.from(format.format(row))));
  const context = { options: { ...DEFAULTS, ...options }, found };
  const report = await runStage(stage, context, lines, output, ({ error }) => assert.fail(error));
  output.end();
  assert.equal(report.read, rows.length);
  const out = new LineFormat(stage.output);
  return (await written)
    .split('\n')
    .slice(0, -1)
    .map((line) => out.parse(line));
}
