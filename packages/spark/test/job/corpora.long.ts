/**
 * Whole collections through a job with default options: its rows against a local build, its lists against exact search, and
 * four shards against one. Takes an hour; skipped where there is no Spark or no data.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { archivedPages } from '../../../../bench/corpora/jsonl.ts';
import { temporaryFolder } from '../../../../test/indexer/build.ts';
import { assertServedAlike } from '../../../../test/service/shards/served-alike.ts';
import { asked, assertSameRows, noSpark, report, shardsOf, submit } from './job.ts';

const DATA = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../../src/cli/main.ts', import.meta.url));
const SHARDS = 4;
const FILES = 8;
const ROUNDS = 60;
const SAMPLE = '1000';

async function manuals(): Promise<string[]> {
  return [join(DATA, 'manuals/demo.warc.gz')];
}

async function crawl(folder: string): Promise<string[]> {
  const files = Array.from({ length: FILES }, (_, i) => createWriteStream(join(folder, `${i}.jsonl`)));
  let place = 0;
  for await (const page of archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst')) {
    const file = files[place++ % FILES]!;
    if (!file.write(`${JSON.stringify(page)}\n`)) await once(file, 'drain');
  }
  await Promise.all(files.map((file) => once(file.end(), 'finish')));
  return files.map(({ path }) => String(path));
}

for (const [name, inputOf] of Object.entries({ manuals, 'uci-crawl': crawl })) {
  const skip = noSpark || (existsSync(join(DATA, name)) ? false : `${name} is not in ../shared/data`);
  test(`${name}: a job makes the rows of a local build, and its shards answer as one`, {
    skip,
    timeout: 14_400_000,
  }, async (t) => {
    const folder = temporaryFolder(t);
    const input = await inputOf(folder);
    const work = join(folder, 'work');
    const job = {
      input,
      master: 'local[2]',
      memory: '4g',
      partitions: FILES,
      options: '',
      more: ['--work', work],
    };
    const [several, one] = [join(folder, 'several'), join(folder, 'one')];
    await report(submit({ ...job, to: several, shards: SHARDS }));
    // Of the same steps.
    await report(submit({ ...job, to: one, shards: 1 }));
    const local = join(folder, 'local.akin');
    const build = spawnSync(process.execPath, [MAIN, 'index', ...input, '--to', local], { encoding: 'utf8' });
    assert.equal(build.status, 0, build.stderr);

    assertSameRows(local, several, work, SHARDS, name === 'manuals' ? ['aliases', 'other answers'] : []);
    const lists = asked('check_lists.py', SAMPLE, ...shardsOf(several)) as Record<string, unknown>;
    t.diagnostic(JSON.stringify(lists));
    assert.deepEqual([lists['wrongSimilarities'], lists['wrongCenters']], [0, 0]);
    assert.ok(Number(lists['recall']) >= 0.97);
    const compared = await assertServedAlike(t, shardsOf(one)[0]!, shardsOf(several), ROUNDS);
    t.diagnostic(JSON.stringify(compared));
    assert.ok(compared.cut < compared.answers / 20);
  });
}
