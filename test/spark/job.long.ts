/**
 * A job on a Spark of this machine against a local build of the same files, row for row. Needs a JDK and pyspark:
 * `pip install -r spark/requirements.txt`; skipped where `spark-submit` is not on the path.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkIndex } from '../../src/store/check/check.ts';
import { build, DEFAULTS, temporaryFolder } from '../indexer/build.ts';
import { randomWeb } from './random-web.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const SHARDS = 3;
const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const skip =
  isThere('java', '-version') && isThere('spark-submit', '--version')
    ? false
    : 'no java, or no spark-submit: pip install -r spark/requirements.txt';

/** The options of the local build as flags. */
const OPTIONS = `--max-page ${DEFAULTS.maxPageBytes} --neighbors ${DEFAULTS.neighborLimit}`;

function web(folder: string): string[] {
  mkdirSync(folder);
  return randomWeb(7, 4, 150, 200).map((bytes, i) => {
    const path = join(folder, `${i}.warc.gz`);
    writeFileSync(path, bytes);
    return path;
  });
}

function submit(input: string, to: string, master: string): ReturnType<typeof spawn> {
  const conf = ['spark.ui.enabled=false', 'spark.sql.shuffle.partitions=3', 'spark.driver.host=127.0.0.1'];
  const words = [
    ...['--master', master, '--driver-memory', '2g', ...conf.flatMap((one) => ['--conf', one])],
    ...[join(ROOT, 'spark/akin_index.py'), input, '--to', to, '--shards', String(SHARDS)],
    ...['--options', OPTIONS, '--broadcast-features', '40'],
    ...['--akin', `${process.execPath} ${join(ROOT, 'src/cli/main.ts')}`],
  ];
  return spawn('spark-submit', words, { env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1' } });
}

async function report(job: ReturnType<typeof spawn>): Promise<Record<string, unknown>> {
  let [said, failed] = ['', ''];
  job.stdout!.on('data', (chunk) => (said += chunk));
  job.stderr!.on('data', (chunk) => (failed = (failed + chunk).slice(-5000)));
  const code = await new Promise((resolve) => job.once('close', resolve));
  assert.equal(code, 0, failed);
  return JSON.parse(said.slice(said.indexOf('{\n')));
}

/** What a comparison in Python, which knows neither build, says of each table. */
function compared(script: string, ...paths: string[]) {
  const python = spawnSync('python3', [join(HERE, script), ...paths], { encoding: 'utf8' });
  assert.match(python.stdout, /^\{/, python.stderr);
  return JSON.parse(python.stdout) as Record<string, { rows: number; [count: string]: unknown }>;
}

function shardsOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.akin'));
  return names.sort().map((name) => join(folder, name));
}

async function localBuild(t: TestContext, paths: readonly string[]): Promise<string> {
  const inputs = paths.map((path) => ({ path, baseUrl: null, format: null }));
  return (await build(t, { inputs, maxPageBytes: DEFAULTS.maxPageBytes })).target;
}

test('a job on Spark makes the rows of a local build', { skip, timeout: 1_800_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const paths = web(join(folder, 'web'));
  writeFileSync(join(folder, 'web', 'broken.warc.gz'), 'no archive');
  const to = join(folder, 'shards');
  const made = await report(submit(join(folder, 'web', '*.warc.gz'), to, 'local[2]'));
  const unreadable = made['unreadableFiles'] as string[][];
  assert.match(unreadable[0]![0]!, /broken\.warc\.gz$/);
  const local = await localBuild(t, paths);

  for (const [name, { rows, different }] of Object.entries(
    compared('compare_with_local.py', join(to, '_work'), local),
  )) {
    assert.equal(different, 0, name);
    assert.ok(rows > 0, name);
  }
  const shards = shardsOf(to);
  assert.equal(shards.length, SHARDS);
  for (const path of shards) assert.deepEqual(checkIndex(path).faults, []);
  // Lists are found approximately, and what follows from them.
  const approximate = ['lists of relation 1', 'clusters', 'members'];
  for (const [name, rows] of Object.entries(compared('compare_shards.py', local, ...shards))) {
    if (!approximate.includes(name)) assert.deepEqual([name, rows['missing'], rows['added']], [name, 0, 0]);
  }
});

test('a job whose executors are killed makes the same shards', { skip, timeout: 2_400_000 }, async (t) => {
  const folder = temporaryFolder(t);
  web(join(folder, 'web'));
  const input = join(folder, 'web', '*.warc.gz');
  const [calm, hunted] = [join(folder, 'calm'), join(folder, 'hunted')];
  await report(submit(input, calm, 'local[2]'));
  const job = submit(input, hunted, 'local-cluster[2,1,1024]');
  let killed = 0;
  const hunt = setInterval(() => {
    const victim = executorsBelow(job.pid!).at(killed % 2);
    if (victim === undefined || killed === 3) return;
    process.kill(victim, 'SIGKILL');
    killed++;
  }, 20_000);
  try {
    await report(job);
  } finally {
    clearInterval(hunt);
  }
  assert.ok(killed > 0, 'executors were killed');
  assert.deepEqual(generations(hunted), generations(calm));
});

/** Executors that a job started, whatever process is between: by the parents in /proc. */
function executorsBelow(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid)!));
  return [...parents.keys()].filter((pid) => {
    if (!isBelow(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('CoarseGrainedExecutorBackend');
    } catch {
      return false;
    }
  });
}

function generations(folder: string): string[] {
  return shardsOf(folder).map((path) => checkIndex(path).generation);
}
