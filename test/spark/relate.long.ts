/**
 * The steps that relate pages, in rounds of joins on a Spark of this machine, against a local build and brute force. Needs a
 * JDK and pyspark: `pip install -r spark/requirements.txt`; skipped where they are not there.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildPages, temporaryFolder } from '../indexer/build.ts';
import { copiedTopics } from './copied-topics.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const skip =
  isThere('java', '-version') && isThere('python3', '-c', 'import pyspark, pyarrow')
    ? false
    : 'no java, or no pyspark: pip install -r spark/requirements.txt';

test('pages are related as a local build relates them', { skip, timeout: 1_800_000 }, async (t) => {
  const clusterings = ['0.5', '0.9', '0.8c'];
  const pages = copiedTopics(500, 10, 1);
  const { target } = await buildPages(t, pages, { copyClusterings: clusterings, targetRecall: 1 });
  const script = fileURLToPath(new URL('./relate_check.py', import.meta.url));
  const akin = `${process.execPath} ${join(ROOT, 'src/cli/main.ts')}`;
  const options = ['--neighbours', '8', '--copy-clusterings', clusterings.join(',')];
  // So few rows are not worth a plan made anew, or compiled.
  const quick = ['spark.sql.adaptive.enabled=false', 'spark.sql.codegen.wholeStage=false'];
  const small = ['spark.ui.enabled=false', 'spark.sql.shuffle.partitions=3', 'spark.driver.host=127.0.0.1'];
  const conf = [...small, ...quick, 'spark.sql.codegen.factoryMode=NO_CODEGEN'];
  const submit = [...conf.flatMap((one) => ['--conf', one]), '--driver-memory', '2g', 'pyspark-shell'];
  const env = { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_SUBMIT_ARGS: submit.join(' ') };
  const words = [script, target, join(temporaryFolder(t), 'work'), akin, ...options];
  const run = spawnSync('python3', words, { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(run.status, 0, run.stderr.slice(-5000));
  const { components, copies, neighbours, center, topics } = JSON.parse(
    run.stdout.slice(run.stdout.indexOf('{"')),
  );
  t.diagnostic(run.stdout.trim());

  for (const way of [components.rounds, components.driver]) {
    assert.equal(way.different, 0);
    assert.equal(way.pages, components.pages);
  }
  // Six hundred pages in a row.
  assert.ok(components.rounds.rounds <= 16, `${components.rounds.rounds} rounds`);

  for (const [name, [here, local]] of Object.entries<[number, number]>(copies.counts)) {
    assert.equal(here, local, name);
  }
  assert.ok(copies.counts.pair_count[0] > 100 && copies.counts.template_shingle_count[0] > 0);
  assert.ok(copies.counts.translation_count[0] > 0);
  assert.deepEqual([copies.differentLists, copies.differentClusters, copies.levels], [0, 0, 3]);

  assert.deepEqual([neighbours.wrongSimilarities, neighbours.unorderedLists], [0, 0]);
  assert.ok(neighbours.recall >= 0.97, `recall ${neighbours.recall}`);
  const [low, high] = neighbours.measured;
  assert.ok(low - 0.01 <= neighbours.recall && neighbours.recall <= high + 0.01);
  assert.ok(neighbours.sameVoteLists > 0.8, `${neighbours.sameVoteLists} of the lists are the same`);

  assert.deepEqual([center.rounds.different, center.driver.different], [0, 0]);
  assert.ok(center.rounds.rounds > 0 && center.clusters < center.pages);

  for (const way of [topics.rounds, topics.task]) {
    assert.equal(way.pages, neighbours.pages);
    assert.ok(way.isNested && way.centersAreMembers);
    assert.ok(way.vMeasure > 0.8, `V-measure ${way.vMeasure}`);
  }
});
