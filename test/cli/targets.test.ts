/** Where commands write. */
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = newFolder('targets');
const index = join(folder, 'garden.akin');

before(async () => {
  const source = join(folder, 'garden.jsonl');
  writeFileSync(source, GARDEN_JSONL);
  assert.equal((await akin(['index', source, '--to', index, '--workers', '1'])).code, 0);
});
after(() => rmSync(folder, { recursive: true }));

test('a folder to write to is refused before any work where it is none', async () => {
  for (const argv of [
    ['crawl', 'http://127.0.0.1:1/'],
    ['crawl', '--resume'],
    ['up', 'http://127.0.0.1:1/'],
    ['split', index, '--shards', '2'],
  ]) {
    for (const [to, said] of [
      ['', /^akin: "" is no name of a folder\nhint: give a folder: --to /],
      ['-', /^akin: "-" is no name of a folder\n/],
      [index, /garden\.akin is no folder\nhint: give a folder: --to /],
    ] as const) {
      const { code, stdout, stderr } = await akin([...argv, '--to', to]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, said);
    }
  }
});

test('what is written to a link stands where it leads, and the link stays', async () => {
  const [there, here] = ['there', 'here'].map((name) => join(folder, name)) as [string, string];
  for (const path of [there, here]) mkdirSync(path);
  const pages = join(folder, 'linked.jsonl');
  writeFileSync(pages, '{"url":"https://garden.example/new","text":"a hedge of roses"}\n');
  for (const [name, argv] of [
    ['web.akin', ['index', pages]],
    ['web.akin', ['add', pages]],
    ['list.tsv', ['export', index, '--what', 'pages']],
    ['moved.csv', ['moved', index, '--all', '--format', 'csv']],
  ] as const) {
    const [real, link] = [join(there, name), join(here, name)];
    const before = existsSync(real) ? statSync(real).ino : 0;
    if (before === 0) {
      writeFileSync(real, '');
      symlinkSync(join('..', 'there', name), link);
    }
    const { code, stderr } = await akin([...argv, '--to', link]);
    assert.equal(code, 0, stderr);
    assert.ok(lstatSync(link).isSymbolicLink(), argv.join(' '));
    assert.ok(statSync(real).size > 0 && statSync(real).ino !== before, argv.join(' '));
  }
  assert.deepEqual(readdirSync(there).sort(), ['list.tsv', 'moved.csv', 'web.akin']);
  assert.deepEqual(readdirSync(here).sort(), ['list.tsv', 'moved.csv', 'web.akin']);
  const { code, stderr } = await akin(['index', pages, '--to', '/dev/null']);
  assert.deepEqual([code, stderr.split('\n')[0]], [2, 'akin: /dev/null is not a plain file']);
});
