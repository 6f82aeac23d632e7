/** The folder of all shards in place of a file. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { fixtureIndex } from '../service/fixture-app.ts';
import { akin } from './terminal.ts';

test('all shards of a folder are checked, and what is wrong is said of its file', async () => {
  const folder = join(newFolder('shard-folder'), 'shards');
  const split = await akin(['split', await fixtureIndex(), '--shards', '2', '--to', folder]);
  assert.equal(split.code, 0, split.stderr);
  const files = [0, 1].map((number) => join(folder, `shard-0000${number}-of-00002.akin`)) as [string, string];
  const whole = await akin(['check', folder]);
  assert.deepEqual([whole.code, whole.stdout], [0, files.map((file) => `${file} is whole\n`).join('')]);
  const { shards } = JSON.parse((await akin(['check', folder, '--quick', '--json'])).stdout);
  assert.deepEqual(
    shards.map(({ path }: { path: string }) => path),
    files,
  );
  const db = new Database(files[0]);
  db.exec("UPDATE page SET title = title || 'x' WHERE id = 0");
  db.close();
  const bad = await akin(['check', folder, '--quick']);
  assert.equal(bad.code, 5, bad.stdout);
  assert.match(bad.stdout, /table page has changed.*\n\S+shard-00001-of-00002\.akin is as it was written\n$/);
  assert.match(bad.stderr, /^akin: \S+shard-00000-of-00002\.akin has one fault\n/);
  const none = await akin(['check', newFolder('empty')]);
  assert.deepEqual([none.code, /has no shard of an index/.test(none.stderr)], [2, true], none.stderr);
});

longTest(
  'what measures or splits an index takes no shards, and says how to make one index of them',
  async () => {
    const folder = newFolder('shard-hints');
    const shards = join(folder, 'shards');
    assert.equal((await akin(['split', await fixtureIndex(), '--shards', '2', '--to', shards])).code, 0);
    const files = readdirSync(shards)
      .filter((name) => name.endsWith('.akin'))
      .map((name) => join(shards, name));
    const labels = join(folder, 'labels.tsv');
    const { stdout } = await akin(['export', shards, '--what', 'pages']);
    const urls = stdout
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split('\t')[0]);
    writeFileSync(labels, ['url\tlabel', ...urls.map((url) => `${url}\tone`)].join('\n'));
    const commands = (index: string) => [
      ['evaluate', index, '--labels', labels],
      ['split', index, '--shards', '3', '--to', join(folder, 'again')],
      ['export', index, '--what', 'pairs'],
      ['pairs', index],
      ['tune', index, '--labels', labels],
    ];
    const hint = `or one of all its shards, built with its settings: akin index ${shards}/*.akin --to whole.akin\n`;
    for (const argv of [...commands(shards), ...commands(files[0]!)]) {
      const { code, stderr } = await akin(argv);
      assert.equal(code, 2, stderr);
      assert.ok(stderr.replace('FOLDER', shards).endsWith(hint), stderr);
    }
    const noInput = await akin(['index', shards, '--to', join(folder, 'whole.akin')]);
    assert.ok(noInput.stderr.endsWith(`, give the files: ${shards}/*.akin\n`), noInput.stderr);
    const noVectors = await akin(['related', shards, urls[0]!, '--by', 'meaning']);
    const [, shown = ''] = /\nhint: akin show (\S+) lists the relations\n$/.exec(noVectors.stderr) ?? [];
    assert.equal((await akin(['show', shown])).code, 0, noVectors.stderr);
    const whole = join(folder, 'whole.akin');
    assert.equal((await akin(['index', ...files, '--to', whole])).code, 0);
    for (const argv of commands(whole)) {
      const { code, stderr } = await akin(argv);
      if (argv[0] === 'tune') assert.match(stderr, /too few|share/);
      else assert.equal(code, 0, stderr);
    }
  },
);
