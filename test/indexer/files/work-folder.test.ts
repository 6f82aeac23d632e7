/** What a build may empty: a folder of its own, and nothing else that stands in its place. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../../src/indexer/build-index.ts';
import { buildKey } from '../../../src/indexer/files/build-key.ts';
import { WorkFolder } from '../../../src/indexer/files/work-folder.ts';
import { saveCoverage } from '../../../src/indexer/gather/records/covered-sites.ts';
import { additionTo } from '../../../src/indexer/options/stored-options.ts';
import { longTest } from '../../long-test.ts';
import { build, DEFAULTS, input, noting, temporaryFolder } from '../build.ts';
import { toJsonl, villagePages } from '../pages.ts';

function place(t: TestContext) {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, toJsonl(villagePages(3)));
  const target = join(folder, 'a.akin');
  return { folder, target, work: `${target}.work`, options: { inputs: [input(path)], target } };
}

const REFUSED =
  (message: RegExp) => (error: { name: string; code: string; message: string; hint: string }) => {
    assert.equal(error.name, 'InputError');
    assert.equal(error.code, 'AKIN_ERR_OPTION');
    assert.match(error.message, message);
    assert.match(error.hint, /^move .*a\.akin\.work away, or give another --to FILE$/);
    return true;
  };

test('a folder of somebody else is refused by name and left as it is', async (t) => {
  const { target, work, options } = place(t);
  mkdirSync(work);
  writeFileSync(join(work, 'thesis.txt'), 'ten years');
  await assert.rejects(
    build(t, options),
    REFUSED(/a\.akin\.work holds thesis\.txt, and no build left it there/),
  );
  assert.deepEqual(readdirSync(work), ['thesis.txt']);
  assert.equal(existsSync(target), false);
});

test('a manifest of another program makes no work folder', async (t) => {
  const { work, options } = place(t);
  for (const manifest of ['{"name":"My app","icons":[]}', '[]', 'null', '{"key":1,"stages":{}}', '{']) {
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'manifest.json'), manifest);
    await assert.rejects(build(t, options), REFUSED(/holds manifest\.json/), manifest);
    assert.equal(readFileSync(join(work, 'manifest.json'), 'utf8'), manifest);
  }
});

test('no symbolic link is followed, whatever it leads to', async (t) => {
  const { folder, work, options } = place(t);
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  const kept = WorkFolder.open(join(elsewhere, 'b.akin'), null, 0);
  writeFileSync(kept.file('pages'), 'a stage of another build');
  kept.release();
  for (const leadsTo of [elsewhere, kept.path, join(folder, 'nowhere')]) {
    symlinkSync(leadsTo, work);
    await assert.rejects(build(t, options), REFUSED(/a\.akin\.work is a symbolic link/), leadsTo);
    rmSync(work);
  }
  assert.equal(readFileSync(kept.file('pages'), 'utf8'), 'a stage of another build');
  assert.deepEqual(readdirSync(elsewhere), ['b.akin.work']);
});

test('a manifest that is a link to one of a build does not make the folder ours', async (t) => {
  const { folder, work, options } = place(t);
  const kept = WorkFolder.open(join(folder, 'b.akin'), null, 0);
  kept.release();
  mkdirSync(work);
  symlinkSync(kept.file('manifest.json'), join(work, 'manifest.json'));
  await assert.rejects(build(t, options), REFUSED(/holds manifest\.json/));
});

test('a file or a pipe in place of the folder is refused by name', async (t) => {
  const { work, options } = place(t);
  writeFileSync(work, 'a file');
  await assert.rejects(build(t, options), REFUSED(/a\.akin\.work is no folder/));
  rmSync(work);
  execFileSync('mkfifo', [work]);
  await assert.rejects(build(t, options), REFUSED(/a\.akin\.work is no folder/));
});

test('what stands in place of the lock is named, with the cure that helps', async (t) => {
  const { folder, work, options } = place(t);
  const plant: Record<string, (path: string) => void> = {
    junk: (path) => writeFileSync(path, 'x'.repeat(5000)),
    pipe: (path) => execFileSync('mkfifo', [path]),
    folder: (path) => mkdirSync(path),
    link: (path) => symlinkSync(join(folder, 'elsewhere'), path),
  };
  for (const [name, put] of Object.entries(plant)) {
    mkdirSync(work);
    put(join(work, 'lock.sqlite'));
    await assert.rejects(
      build(t, options),
      {
        name: 'CorruptError',
        message: `${work}/lock.sqlite is not the lock of a build`,
        hint: `remove the folder ${work} and run the same command again: the build starts from the beginning`,
      },
      name,
    );
    assert.equal(existsSync(join(folder, 'elsewhere')), false, 'no link is followed');
    rmSync(work, { recursive: true });
  }
  await build(t, options);
});

test('a folder that a build was killed in is its own: at the start, amid its files, at the end', async (t) => {
  const { target, work, options } = place(t);
  mkdirSync(work);
  await build(t, options);
  mkdirSync(work);
  writeFileSync(join(work, 'lock.sqlite'), '');
  writeFileSync(join(work, 'manifest.json.next'), '{"ke');
  await build(t, options);
  const left = WorkFolder.open(options.target, buildKey({ ...DEFAULTS, ...options }), 0);
  writeFileSync(left.file('pages'), 'half a stage');
  left.release();
  await build(t, options);
  assert.ok(existsSync(target));
  assert.equal(existsSync(work), false);
});

test('files of another build that outlived a kill count for nothing', async (t) => {
  const { target, options } = place(t);
  const killed = WorkFolder.open(options.target, buildKey({ ...DEFAULTS, ...options }), 0);
  // Links lead to it, and nothing of it was read.
  saveCoverage(killed, ['far.example']);
  killed.release();
  const { report } = await build(t, options);
  const whole = await build(t, { ...options, target: `${target}.whole` });
  assert.equal(report.generation, whole.report.generation);
});

longTest(
  'a build killed when it had published and half its files were gone makes a lost index again',
  async (t) => {
    const { target, work, options } = place(t);
    const { generation } = (await build(t, options)).report;
    let manifest = '';
    const { listener } = noting();
    const keep = () => {
      manifest = readFileSync(join(work, 'manifest.json'), 'utf8');
    };
    await buildIndex({ ...DEFAULTS, ...options }, { ...listener, stageEnded: keep });
    mkdirSync(work);
    writeFileSync(join(work, 'manifest.json'), manifest);
    const published = await build(t, options);
    assert.ok(
      published.noted.stages.every(({ resumed }) => resumed),
      'it had only to be taken away',
    );
    mkdirSync(work);
    writeFileSync(join(work, 'manifest.json'), manifest);
    rmSync(target);
    const lost = await build(t, options);
    assert.deepEqual([lost.report.generation, published.report.generation], [generation, generation]);
    assert.ok(!lost.noted.stages.some(({ resumed }) => resumed));
  },
);

longTest('an addition that was killed when it had published is not made twice', async (t) => {
  const { folder, target, work, options } = place(t);
  await build(t, options);
  const path = join(folder, 'more.jsonl');
  writeFileSync(path, toJsonl(villagePages(4)));
  const added = await add(target, path);
  assert.deepEqual([added.sweeps, added.isRepeated], [['sweep-2'], false]);
  let manifest = '';
  const real = fs.renameSync;
  const keepBehind = (from: string, to: string) => {
    real(from, to);
    if (to === target) manifest = readFileSync(join(work, 'manifest.json'), 'utf8');
  };
  Object.assign(fs, { renameSync: keepBehind });
  syncBuiltinESMExports();
  const published = await add(target, path).finally(() => {
    Object.assign(fs, { renameSync: real });
    syncBuiltinESMExports();
  });
  // As it was when the new index had taken the place of the old one.
  mkdirSync(work);
  writeFileSync(join(work, 'manifest.json'), manifest);
  const again = await add(target, path);
  assert.deepEqual(
    [again.isRepeated, again.generation, again.sweeps],
    [true, published.generation, ['sweep-3']],
  );
  assert.equal(existsSync(work), false);
  assert.deepEqual((await add(target, path)).sweeps, ['sweep-4'], 'who asks once more means it');
});

function add(target: string, path: string) {
  const resources = { memoryBytes: 64 << 20, workerCount: 1 };
  return buildIndex(additionTo({ target, inputs: [input(path)], ...resources }), noting().listener);
}

test('a manifest that lost its end is reported, not taken for an empty folder', async (t) => {
  const { work, options } = place(t);
  const left = WorkFolder.open(options.target, buildKey({ ...DEFAULTS, ...options }), 0);
  left.complete({ name: 'extract', recordCount: 0, durationMs: 0, processorMs: 0 }, {});
  writeFileSync(left.file('pages'), 'a stage');
  left.release();
  truncateSync(left.file('manifest.json'), 10);
  await assert.rejects(build(t, options), REFUSED(/a\.akin\.work holds (manifest\.json|pages)/));
  assert.ok(existsSync(join(work, 'pages')));
});

test('a build that begins while another one ends goes on, or says that the other is at work', (t) => {
  const { work, options } = place(t);
  const order = { ...DEFAULTS, ...options };
  for (const step of ['lstatSync', 'readdirSync', 'readFileSync', 'openSync', 'statSync'] as const) {
    for (const moment of ['before', 'after'] as const) {
      const ending = WorkFolder.open(order.target, buildKey(order), 0);
      writeFileSync(ending.file('a-stage'), 'numbers');
      const interrupted = interrupt(work, step, moment, () => ending.discard());
      try {
        WorkFolder.open(order.target, buildKey(order), 0).discard();
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'AKIN_ERR_INDEX_BUSY', `${moment} ${step}: ${error}`);
      } finally {
        interrupted.restore();
      }
      assert.equal(interrupted.isDone(), true, `${moment} ${step}`);
      WorkFolder.open(order.target, buildKey(order), 0).discard();
      assert.equal(existsSync(work), false);
    }
  }
});

test('a build that begins while another one makes its folder finds it at work', (t) => {
  const { work, options } = place(t);
  const order = { ...DEFAULTS, ...options };
  mkdirSync(work);
  let other: WorkFolder | undefined;
  const interrupted = interrupt(work, 'lstatSync', 'after', () => {
    other = WorkFolder.open(order.target, buildKey(order), 0);
    writeFileSync(other.file('a-stage'), 'numbers');
  });
  assert.throws(() => WorkFolder.open(order.target, buildKey(order), 0), { code: 'AKIN_ERR_INDEX_BUSY' });
  interrupted.restore();
  other!.discard();
});

/** Runs `work` once, where the first call of this function of node:fs meets a path below `folder`. */
function interrupt(
  folder: string,
  step: 'lstatSync' | 'readdirSync' | 'readFileSync' | 'openSync' | 'statSync',
  moment: 'before' | 'after',
  work: () => void,
) {
  const real = fs[step] as (path: string, ...rest: unknown[]) => unknown;
  let isDone = false;
  const run = () => {
    if (isDone) return;
    isDone = true;
    work();
  };
  const put = (called: unknown) => {
    Object.assign(fs, { [step]: called });
    syncBuiltinESMExports();
  };
  put((path: string, ...rest: unknown[]) => {
    const isOurs = typeof path === 'string' && path.startsWith(folder);
    if (isOurs && moment === 'before') run();
    const result = real(path, ...rest);
    if (isOurs && moment === 'after') run();
    return result;
  });
  return { restore: () => put(real), isDone: () => isDone };
}
