/** What `npm start` shows of the bundled manuals, of which one has an earlier release. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { demoCorpus } from '../../demo/corpus.ts';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

const folder = newFolder('demo');
const index = join(folder, 'demo.akin');
const hostsOf = (list: readonly { url: string }[]) => new Set(list.map(({ url }) => new URL(url).host));

before(async () => {
  const { earlier, inputs } = demoCorpus();
  const input = join(folder, 'earlier.jsonl');
  writeFileSync(input, earlier);
  const before = await akin(['index', input, '--to', index]);
  assert.equal(before.code, 0, before.stderr);
  const now = inputs.map(({ path, baseUrl }) => `${baseUrl}=${path}`);
  const { code, stderr } = await akin(['add', ...now, '--to', index, '--workers', '2', '--whole']);
  assert.equal(code, 0, stderr);
});
after(() => rmSync(folder, { recursive: true }));

test('the bundled manuals are related across sites, with the terms they share', async () => {
  const point = 'http://paperjs.org/reference/classes/Point.html';
  const argv = ['related', index, point, '--same-site', 'exclude', '--explain', '--json'];
  const { related } = JSON.parse((await akin(argv)).stdout);
  assert.ok(hostsOf(related).has('glmatrix.net') && hostsOf(related).has('schteppe.github.io'));
  const terms = related[0].why.terms.map(({ term }: { term: string }) => term);
  assert.ok(terms.includes('vector'), terms.join());
});

test('a cluster holds the same thing out of two manuals', async () => {
  const { stdout } = await akin([
    'cluster',
    index,
    'https://schteppe.github.io/p2.js/docs/classes/AABB.html',
  ]);
  assert.match(stdout, /p2\.js\/docs\/classes\/AABB\.html/);
  assert.match(stdout, /cannon\.js\/docs\/classes\/AABB\.html/);
});

test('a sentence finds its page', async () => {
  const sentence = 'install the packages exactly as the lock file says';
  const { stdout } = await akin(['similar', index, '-', '--json'], { stdin: sentence });
  assert.deepEqual([...hostsOf(JSON.parse(stdout).related)], ['docs.npmjs.com']);
});

test('pages of an earlier release have a history, and one that is gone is found elsewhere', async () => {
  const site = 'https://glmatrix.net/docs/';
  const { captures } = JSON.parse(
    (await akin(['history', index, `${site}module-vec3.html`, '--json'])).stdout,
  );
  assert.deepEqual(
    captures.map(({ changed }: { changed: string }) => changed),
    ['first', 'rewritten'],
  );
  const moved = JSON.parse((await akin(['moved', index, `${site}gl-matrix_vec3.js.html`, '--json'])).stdout);
  assert.equal(moved.state, 'gone');
  assert.equal(moved.candidates[0].url, `${site}vec3.js.html`);
});
