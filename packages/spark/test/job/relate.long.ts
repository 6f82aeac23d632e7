/**
 * The steps that relate pages, in rounds of joins on a Spark of this machine, against a local build and brute force. Needs a
 * JDK and pyspark: `pip install -r packages/spark/job/requirements.txt`; skipped where they are not there.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildPages, temporaryFolder } from '../../../../test/indexer/build.ts';
import { copiedTopics } from './copied-topics.ts';
import { STAGE_COMMAND } from './job.ts';

const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const skip =
  isThere('java', '-version') && isThere('python3', '-c', 'import pyspark, pyarrow')
    ? false
    : 'no java, or no pyspark: pip install -r packages/spark/job/requirements.txt';

const CLUSTERINGS = ['0.5', '0.9', '0.8c'];
/** .28 * 25 is a hair more than 7. */
const COPY_AT = 0.28;

/** Two pages that have 7 of the 25 shingles of both in common. */
const AT_THRESHOLD = [0, 9].map((first) => {
  const word = (n: number) => `edge${String.fromCharCode(97 + Math.floor(n / 10), 97 + (n % 10))}`;
  const text = Array.from({ length: 25 }, (_, i) => word(first + i)).join(' ');
  return { url: `http://edge.example/${first}`, html: `<title>edge</title><p>${text}</p>` };
});

/** What a comparison in Python says of an index of made pages. */
async function checked(t: TestContext, what: 'copies' | 'lists') {
  const pages = [...copiedTopics(500, 10, 1), ...AT_THRESHOLD];
  const given = { copyClusterings: CLUSTERINGS, copySimilarity: COPY_AT, targetRecall: 1 };
  const { target } = await buildPages(t, pages, given);
  const script = fileURLToPath(new URL('./relate_check.py', import.meta.url));
  const copies = ['--copy-at', String(COPY_AT), '--copy-clusterings', CLUSTERINGS.join(',')];
  const options = ['--neighbors', '8', ...copies];
  const conf = ['spark.ui.enabled=false', 'spark.sql.shuffle.partitions=3', 'spark.driver.host=127.0.0.1'];
  const submit = [...conf.flatMap((one) => ['--conf', one]), '--driver-memory', '2g', 'pyspark-shell'];
  const env = { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_SUBMIT_ARGS: submit.join(' ') };
  const words = [script, what, target, join(temporaryFolder(t), 'work'), STAGE_COMMAND, ...options];
  const run = spawnSync('python3', words, { env, encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(
    run.status,
    0,
    run.stderr
      .split('\n')
      .filter((line) => !/^\s+at /.test(line))
      .join('\n')
      .slice(-5000),
  );
  t.diagnostic(run.stdout.trim());
  return JSON.parse(run.stdout.slice(run.stdout.indexOf('{"')));
}

test('copies and their clusters are those of a local build', { skip, timeout: 1_800_000 }, async (t) => {
  const { components, copies } = await checked(t, 'copies');
  for (const way of [components.rounds, components.driver]) {
    assert.equal(way.different, 0);
    assert.equal(way.pages, components.pages);
  }
  // Forty pages in a row.
  assert.ok(components.rounds.rounds <= 8, `${components.rounds.rounds} rounds`);
  for (const [name, [here, local]] of Object.entries<[number, number]>(copies.counts)) {
    assert.equal(here, local, name);
  }
  assert.ok(copies.counts.pair_count[0] > 100 && copies.counts.template_shingle_count[0] > 0);
  assert.ok(copies.counts.translation_count[0] > 0);
  assert.deepEqual([copies.differentLists, copies.differentClusters, copies.levels], [0, 0, 3]);
});

test('lists and their clusters are as good as those of a local build', {
  skip,
  timeout: 1_800_000,
}, async (t) => {
  const { neighbors, center, topics } = await checked(t, 'lists');
  assert.deepEqual([neighbors.wrongSimilarities, neighbors.unorderedLists], [0, 0]);
  assert.ok(neighbors.recall >= 0.97, `recall ${neighbors.recall}`);
  const [low, high] = neighbors.measured;
  assert.ok(low - 0.01 <= neighbors.recall && neighbors.recall <= high + 0.01);
  assert.ok(neighbors.votedLists > 100, `${neighbors.votedLists} lists whose votes can be compared`);
  assert.equal(neighbors.differentVotes, 0);

  assert.deepEqual([center.rounds.different, center.driver.different], [0, 0]);
  assert.ok(center.rounds.rounds > 0 && center.clusters < center.pages);

  assert.ok(topics.passes > 0);
  assert.deepEqual([topics.pages, topics.levels.length], [neighbors.pages, 3]);
  assert.ok(topics.isNested && topics.centersAreMembers);
  for (const [level, local] of (topics.localVMeasures as number[]).entries()) {
    const here = topics.vMeasures[level];
    assert.ok(here > local - 0.03, `V-measure ${here} at level ${level}, ${local} locally`);
  }
});
