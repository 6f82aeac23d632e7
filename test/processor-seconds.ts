/** Reporter: the processor seconds of a run of tests, the files that took most of them, and those that did not run. */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LISTED = 10;
const folder = mkdtempSync(join(tmpdir(), 'akin-costs-'));
// For the processes that run the files: each leaves what its files took there (test/processor-time.ts).
process.env['AKIN_TEST_COSTS'] = folder;

export default async function* report(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const _event of events);
  const costs = readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
    .map((line): [number, string] => JSON.parse(line))
    .sort(([a], [b]) => b - a);
  rmSync(folder, { recursive: true });
  const sum = costs.reduce((total, [seconds]) => total + seconds, 0);
  const lines = costs
    .slice(0, LISTED)
    .map(([seconds, file]) => `ℹ   ${seconds.toFixed(1).padStart(5)} ${file}\n`);
  yield `ℹ processor_seconds ${sum.toFixed(0)}, most of them in\n${lines.join('')}`;
  const run = new Set(costs.map(([, file]) => file));
  for (const file of globSync('{test,packages/*/test}/**/*.test.ts').sort()) {
    if (!run.has(file))
      yield `✖ did not end: ${file}; its process may have ended before, or no process takes it\n`;
  }
}
