/** Where commands write. */
import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
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

test('an export is not written under the name of another format', async () => {
  const named = (name: string, ...more: string[]) => {
    const to = join(folder, name);
    return akin(['export', index, '--what', 'pages', '--to', to, ...more]);
  };
  for (const name of ['pages.parquet', 'pages.xlsx', 'pages.tsv.zst', 'pages.tsv.GZ', 'pages.parquet.gz']) {
    const { code, stderr } = await named(name);
    assert.equal(code, 2, name);
    assert.match(
      stderr,
      /^akin: .*, which is none of the formats\nhint: give a name that ends in \.tsv, .*\.jsonl, .*--format\n/,
    );
    assert.ok(!existsSync(join(folder, name)));
  }
  const begins = async (name: string, ...more: string[]) => {
    const { code, stderr } = await named(name, ...more);
    assert.equal(code, 0, stderr);
    return readFileSync(join(folder, name), 'utf8').slice(0, 4);
  };
  assert.equal(await begins('of.2026', '--format', 'csv'), 'url,');
  for (const name of ['plain', 'plain.txt', 'plain.tsv', '.plain']) assert.equal(await begins(name), 'url\t');
  for (const name of ['plain.jsonl', 'plain.ndjson']) assert.equal(await begins(name), '{"ur');
});
