/**
 * A job on a Spark of this machine against a local build of the same files, row for row. Needs a JDK and pyspark:
 * `pip install -r packages/spark/job/requirements.txt`; skipped where `spark-submit` is not on the path.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatParts } from '../../../../src/features/parts.ts';
import { checkIndex } from '../../../../src/store/check/check.ts';
import { build, DEFAULTS, temporaryFolder } from '../../../../test/indexer/build.ts';
import {
  assertSameRows,
  report,
  type Submitted,
  shardsOf,
  noSpark as skip,
  submit as submitJob,
} from './job.ts';
import { randomFeatures, randomWeb } from './random-web.ts';

const SHARDS = 3;
/** The options of the local build as flags. */
const OPTIONS = `--sweep ${DEFAULTS.sweepName} --max-page ${DEFAULTS.maxPageBytes} --neighbors ${DEFAULTS.neighborLimit}`;
/** Beside the marks of pages. */
const IGNORE = '.menu';

function web(folder: string): string[] {
  mkdirSync(folder);
  return randomWeb(7, 4, 150, 200).map((bytes, i) => {
    const path = join(folder, `${i}.warc.gz`);
    writeFileSync(path, bytes);
    return path;
  });
}

/** Of all kinds: words, links, features of one's own. */
const PARTS = {
  content: 0.3,
  title: 0.1,
  heading: 0.1,
  anchor: 0.1,
  out: 0.1,
  in: 0.1,
  tags: 0.1,
  visitors: 0.1,
};

function submit(job: Pick<Submitted, 'input' | 'to'> & Partial<Submitted>) {
  const more = ['--broadcast-features', '40', ...(job.more ?? [])];
  return submitJob({
    master: 'local[2]',
    memory: '2g',
    partitions: 3,
    shards: SHARDS,
    options: OPTIONS,
    ...job,
    more,
  });
}

/** Settings of Hadoop by which `viewfs://test/` is `root`: a file system that nothing else knows. */
function mounted(root: string): { readonly HADOOP_CONF_DIR: string } {
  const folder = join(root, 'conf');
  mkdirSync(folder);
  const property = `<name>fs.viewfs.mounttable.test.linkFallback</name><value>file://${root}</value>`;
  writeFileSync(
    join(folder, 'core-site.xml'),
    `<configuration><property>${property}</property></configuration>`,
  );
  return { HADOOP_CONF_DIR: folder };
}

function localBuild(t: TestContext, paths: readonly string[]) {
  const inputs = paths.map((path) => ({ path, baseUrl: null, format: null }));
  return build(t, { inputs, maxPageBytes: DEFAULTS.maxPageBytes, parts: PARTS, ignore: IGNORE });
}

test('a job on Spark makes the rows of a local build', { skip, timeout: 1_800_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const paths = [...web(join(folder, 'web')), join(folder, 'web', 'features.jsonl')];
  writeFileSync(paths.at(-1)!, randomFeatures(8, 200, 200));
  writeFileSync(join(folder, 'web', 'broken.warc.gz'), 'no archive');
  const to = join(folder, 'shards');
  const options = `${OPTIONS} --parts ${formatParts(PARTS)} --ignore ${IGNORE}`;
  const made = await report(
    submit({
      input: [join(folder, 'web', '*.{warc.gz,jsonl}')],
      to,
      options,
      more: ['--put', 'cp'],
    }),
  );
  const unreadable = made['unreadableFiles'] as string[][];
  assert.match(unreadable[0]![0]!, /broken\.warc\.gz$/);
  const local = await localBuild(t, paths);
  assert.deepEqual(made['marks'], local.report.marks);
  assert.ok(local.report.marks.bodyRecordCount > 0);
  const { records, first } = made['badFeatures'] as { records: number; first: string[][] };
  assert.ok(records > 0 && first.length > 0);
  assert.match(first[0]![1]!, /^features\.tags: the weight of "keel"/);

  assertSameRows(local.target, to, join(to, '_work'), SHARDS);
});

test('a job of several sweeps in a file system of Hadoop knows what each of them brought', {
  skip,
  timeout: 1_800_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'sweeps'));
  const paths = ['2024-01', '2024-02', '2024-03'].map((name, i) => {
    // The same URLs with other answers; of some the time is not that of the sweep.
    const times = [`${name}-01T00:00:00Z`, `${name}-02T00:00:00Z`, '2024-02-01T12:00:00Z'];
    const path = join(folder, 'sweeps', `${name}.warc.gz`);
    writeFileSync(path, randomWeb(20 + i, 1, 250, 150, times)[0]!);
    return path;
  });
  const to = join(folder, 'shards');
  const nameOf = (path: string) => basename(path, '.warc.gz');
  const sweeps = paths.flatMap((path) => [
    '--sweep',
    `${nameOf(path)}=viewfs://test/sweeps/${basename(path)}`,
  ]);
  const env = mounted(folder);
  await report(submit({ input: sweeps, to: 'viewfs://test/shards', env }));
  const inputs = paths.map((path) => ({ path, baseUrl: null, format: null, sweep: nameOf(path) }));
  const { target, reader } = await build(t, { inputs, maxPageBytes: DEFAULTS.maxPageBytes });
  const captureCount = Array.from(reader.pages()).reduce(
    (sum, { id }) => sum + reader.captures(id).length,
    0,
  );
  assert.ok(captureCount > reader.pageCount, `${captureCount} captures of ${reader.pageCount} pages`);
  assertSameRows(target, to, join(to, '_work'), SHARDS);
});

test('a job whose files were written again begins anew, and says what it left out', {
  skip,
  timeout: 1_800_000,
}, async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  const to = join(folder, 'shards');
  const long = `/${'x'.repeat(3_000)}`;
  const odd = {
    published_at: 'yesterday',
    colour: 'blue',
    links: [long],
    file_url: 'https://a.example/0.html',
  };
  const made = async (word: string) => {
    const records = Array.from({ length: 40 }, (_, i) => ({
      url: `https://a.example/${i}`,
      html: `<title>Page ${i}</title><p>${word} tea cup ${i % 7} ${i % 5} pot`,
      ...(i === 0 && odd),
    }));
    writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
    const said = await report(submit({ input: [path], to }));
    const local = await build(t, { inputs: [{ path, baseUrl: null, format: null }] });
    assert.equal(said['pages'], 40);
    assert.equal(said['droppedLinks'], local.report.droppedLinkCount);
    assert.deepEqual(said['unknownMembers'], local.report.unknownMembers);
    const { records: dated, first } = said['badDates'] as { records: number; first: string[][] };
    assert.equal(dated, local.report.badDates.recordCount);
    assert.equal(first[0]![0], 'https://a.example/0');
    assert.deepEqual(said['fileUrls'], { records: 1, first: [['https://a.example/0', odd.file_url]] });
    return generations(to);
  };
  // Of one size: the time alone tells the two apart.
  const [before, after] = [await made('green'), await made('black')];
  assert.equal(before.length, after.length);
  for (const [i, generation] of after.entries()) assert.notEqual(generation, before[i]);
});

test('a job whose executors are killed makes the same shards', { skip, timeout: 2_400_000 }, async (t) => {
  const folder = temporaryFolder(t);
  web(join(folder, 'web'));
  const input = [join(folder, 'web', '*.warc.gz')];
  const [calm, hunted] = [join(folder, 'calm'), join(folder, 'hunted')];
  await report(submit({ input, to: calm }));
  const job = submit({ input, to: hunted, master: 'local-cluster[2,1,1024]' });
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
