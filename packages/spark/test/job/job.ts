/** Starts jobs on a Spark of this machine, and compares what they make with a local build. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkIndex } from '../../../../src/store/check/check.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
/** How `akin-stage` is called, apart by blanks. */
export const STAGE_COMMAND = `${process.execPath} --conditions=akin-source ${join(PACKAGE, 'src/main.ts')}`;
const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;

/** Why a test is skipped, or false. */
export const noSpark =
  isThere('java', '-version') && isThere('spark-submit', '--version')
    ? false
    : 'no java, or no spark-submit: pip install -r packages/spark/job/requirements.txt';

export interface Submitted {
  /** Inputs, or `--sweep` with them. */
  readonly input: readonly string[];
  readonly to: string;
  readonly master: string;
  /** Of the driver. */
  readonly memory: string;
  readonly partitions: number;
  readonly shards: number;
  /** Of `akin index`. */
  readonly options: string;
  readonly more?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function submit(job: Submitted) {
  const { input, to, master, memory, partitions, shards, options, more = [], env = {} } = job;
  const conf = [
    'spark.ui.enabled=false',
    `spark.sql.shuffle.partitions=${partitions}`,
    'spark.driver.host=127.0.0.1',
  ];
  const words = [
    ...['--master', master, '--driver-memory', memory, ...conf.flatMap((one) => ['--conf', one])],
    ...[join(PACKAGE, 'job/akin_index.py'), ...input, '--to', to, '--shards', String(shards)],
    ...['--options', options, ...more],
  ];
  return spawn('spark-submit', words, { env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', ...env } });
}

/** Waits for a job; its report. */
export async function report(job: ReturnType<typeof spawn>): Promise<Record<string, unknown>> {
  let [said, failed] = ['', ''];
  job.stdout!.on('data', (chunk) => (said += chunk));
  job.stderr!.on('data', (chunk) => (failed = (failed + chunk).slice(-100_000)));
  const code = await new Promise((resolve) => job.once('close', resolve));
  const lines = failed.split('\n').filter((line) => !/^\S+ \S+ INFO /.test(line));
  assert.equal(code, 0, lines.join('\n').slice(-5000));
  return JSON.parse(said.slice(said.indexOf('{\n')));
}

/** What a script in Python, which knows neither build, says. */
export function asked(script: string, ...words: string[]): Record<string, Record<string, unknown>> {
  const python = spawnSync('python3', [join(HERE, script), ...words], { encoding: 'utf8' });
  assert.match(python.stdout, /^\{/, python.stderr);
  return JSON.parse(python.stdout);
}

export function shardsOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.akin'));
  return names.sort().map((name) => join(folder, name));
}

/**
 * Every row of the steps and the shards of a job is that of a local index, but the lists of topics and what follows from
 * them; of each kind of rows there are some, but of those that the pages `mayLack`.
 */
export function assertSameRows(
  local: string,
  to: string,
  work: string,
  shardCount: number,
  mayLack: readonly string[] = [],
): void {
  for (const [name, { rows, different }] of Object.entries(asked('compare_with_local.py', work, local))) {
    assert.equal(different, 0, name);
    assert.ok(Number(rows) > 0 || mayLack.includes(name), name);
  }
  const shards = shardsOf(to);
  assert.equal(shards.length, shardCount);
  for (const path of shards) assert.deepEqual(checkIndex(path).faults, []);
  const approximate = ['lists of relation 1', 'clusters of relation 1', 'members of relation 1'];
  for (const [name, rows] of Object.entries(asked('compare_shards.py', local, ...shards))) {
    if (!approximate.includes(name)) assert.deepEqual([name, rows['missing'], rows['added']], [name, 0, 0]);
  }
}
