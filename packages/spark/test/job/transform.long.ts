/** The SQL of docs/spark.md. Needs a JDK and pyspark: `pip install -r packages/spark/job/requirements.txt`; skipped where they are not there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../../../test/indexer/build.ts';
import { STAGE_COMMAND } from './job.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const isThere = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const skip =
  isThere('java', '-version') && isThere('python3', '-c', 'import pyspark, pyarrow')
    ? false
    : 'no java, or no pyspark: pip install -r packages/spark/job/requirements.txt';

test('a stage runs in SQL as the documentation has it', { skip, timeout: 600_000 }, (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, 'packages/spark/bin/akin-stage'), join(folder, 'akin-stage'));
  const script = fileURLToPath(new URL('./transform_check.py', import.meta.url));
  const path = `${folder}:${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, SPARK_LOCAL_IP: '127.0.0.1' };
  const words = [script, join(ROOT, 'docs/spark.md'), STAGE_COMMAND];
  const run = spawnSync('python3', words, { env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr.slice(-3000));
  // A tab and a backslash in a text come back as the record has them.
  const titles = ['Roses', 'Tulips', 'A\\tday\\\\night', 'Weeds', 'Ünder glass', 'Bees'];
  const rows = titles.map((title, page_id) => ({ page_id, title }));
  assert.deepEqual(JSON.parse(run.stdout.slice(run.stdout.indexOf('[{'))), rows);
});
