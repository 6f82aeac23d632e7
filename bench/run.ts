/**
 * Runs benches by name: `node bench/run.ts [name...]`, where none is named all but those of hours (`onRequest`),
 * `--list` to see the names, `--stale` to see those whose results are of another index format or of other algorithms, and who quotes them.
 *
 * A name is a file's path below bench/ without `.bench.ts`, or the last part of it. The result of a bench goes to
 * bench/results/<name>.json with the machine it was measured on; what is absent is skipped and says so.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BenchResult, BenchSkipped, isMissed } from './bench.ts';
import { environment, ROOT } from './environment.ts';
import { staleResults } from './stale.ts';

const FOLDER = join(ROOT, 'bench');
const SUFFIX = '.bench.ts';

interface Bench {
  run(): Promise<Partial<BenchResult>>;
  /** Too long to be among all. */
  readonly onRequest?: boolean;
}

export function benchPaths(): string[] {
  return globSync(`**/*${SUFFIX}`, { cwd: FOLDER }).sort();
}

/** Name in results and on the command line. */
export function benchName(path: string): string {
  return basename(path, SUFFIX);
}

async function runBench(path: string, isNamed: boolean): Promise<'done' | 'skipped' | 'failed'> {
  const name = benchName(path);
  process.stderr.write(`\n== ${name}\n`);
  const startedMs = performance.now();
  try {
    const { run, onRequest = false } = (await import(join(FOLDER, path))) as Bench;
    if (onRequest && !isNamed) throw new BenchSkipped('runs only when asked for by name');
    const result = await run();
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    mkdirSync(join(FOLDER, 'results'), { recursive: true });
    const file = join(FOLDER, 'results', `${name}.json`);
    writeFileSync(file, `${JSON.stringify({ bench: path, environment: environment(), result }, null, 1)}\n`);
    process.stderr.write(`${name}: ${seconds} s\n`);
    process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
    const missed = (result.targets ?? []).filter(isMissed);
    for (const { figure, atLeast, reached, ifMissed = 'no reason given: find it and add it' } of missed) {
      process.stderr.write(`${name}: missed: ${figure} is ${reached}, wanted ${atLeast} (${ifMissed})\n`);
    }
    return missed.length === 0 ? 'done' : 'failed';
  } catch (error) {
    if (error instanceof BenchSkipped) {
      process.stderr.write(`${name}: skipped: ${error.message}\n`);
      return 'skipped';
    }
    process.stderr.write(`${name}: failed\n${error instanceof Error ? error.stack : error}\n`);
    return 'failed';
  }
}

async function main(asked: readonly string[]): Promise<number> {
  const paths = benchPaths();
  if (asked.includes('--list')) {
    for (const path of paths) process.stdout.write(`${benchName(path)}\n`);
    return 0;
  }
  if (asked.includes('--stale')) {
    for (const { bench, date, versions, quotedBy } of staleResults()) {
      process.stdout.write(`${bench}: ${date}, ${versions}; quoted by ${quotedBy.join(', ')}\n`);
    }
    return 0;
  }
  const wanted = asked.map((name) => basename(name, SUFFIX));
  const unknown = wanted.filter((name) => !paths.some((path) => benchName(path) === name));
  if (unknown.length > 0) {
    process.stderr.write(`no bench ${unknown.join(', ')}; there are ${paths.map(benchName).join(', ')}\n`);
    return 2;
  }
  const chosen = paths.filter((path) => wanted.length === 0 || wanted.includes(benchName(path)));
  let failures = 0;
  for (const path of chosen) if ((await runBench(path, wanted.length > 0)) === 'failed') failures++;
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
