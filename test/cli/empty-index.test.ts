/** An index without pages, which later ones fill. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = newFolder('empty');
const pages = join(folder, 'garden.jsonl');
const SMALL = ['--max-df', '1', '--min-df', '1', '--fields', 'price:number', '--sweep', 'spring'];
after(() => rmSync(folder, { recursive: true }));
writeFileSync(pages, GARDEN_JSONL);

async function emptyIndex(name: string): Promise<string> {
  const path = join(folder, name);
  const made = await akin(['index', '--empty', '--to', path, ...SMALL]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /: no pages, .*\nhand some over: akin serve /);
  assert.equal((await akin(['check', path])).code, 0);
  return path;
}

async function generationOf(path: string): Promise<string> {
  const { stdout } = await akin(['show', path, '--json']);
  return (JSON.parse(stdout) as { generation: string }).generation;
}

test('an empty index to which pages are added is that of these pages', async () => {
  const grown = await emptyIndex('grown.akin');
  const added = await akin(['add', pages, '--to', grown, '--sweep', 'spring']);
  assert.equal(added.code, 0, added.stderr);
  const built = join(folder, 'built.akin');
  assert.equal((await akin(['index', pages, '--to', built, ...SMALL])).code, 0);
  assert.equal(await generationOf(grown), await generationOf(built));
});

test('no input is refused, and one beside --empty', async () => {
  const target = join(folder, 'none.akin');
  const none = await akin(['index', '--to', target]);
  assert.deepEqual([none.code, /no input is given/.test(none.stderr)], [2, true]);
  const both = await akin(['index', pages, '--empty', '--to', target]);
  assert.deepEqual([both.code, /--empty is for an index of no input/.test(both.stderr)], [2, true]);
  assert.equal(existsSync(target), false);
});
