/** `akin pairs`: every pair of an index, within a budget, with what is known of their completeness. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/lib/random.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { plainSimilarity } from '../twins/plain-similarity.ts';
import { akin } from './terminal.ts';

const folder = newFolder('pairs-test');
const index = join(folder, 'pages.akin');

/** Pages of 40 out of 90 words, some of them twice. */
const { TMPDIR } = process.env;
before(async () => {
  process.env['TMPDIR'] = join(folder, 'temporary');
  mkdirSync(process.env['TMPDIR']);
  const random = new Random(6);
  const texts: string[] = [];
  for (let page = 0; page < 260; page++) {
    const words = Array.from(
      { length: 40 },
      () => `word${String.fromCharCode(97 + random.below(26))}${random.below(4)}x`,
    );
    texts.push(page % 13 === 12 ? texts[random.below(page)]! : words.join(' '));
  }
  const pages = texts.map((text, page) => JSON.stringify({ url: `https://e.example/${page}`, text }));
  writeFileSync(join(folder, 'pages.jsonl'), pages.join('\n'));
  const flags = ['--max-df', '1', '--workers', '1', '--no-copies'];
  const { code, stderr } = await akin(['index', join(folder, 'pages.jsonl'), '--to', index, ...flags]);
  assert.equal(code, 0, stderr);
});
after(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  rmSync(folder, { recursive: true });
});

function truth(least: number): string[] {
  const reader = IndexReader.open(index);
  const relation = reader.relation('topic')!.id;
  const pages = Array.from(reader.pages(), ({ url }, page) => ({ url, bag: reader.bag(relation, page) }));
  reader.close();
  return pages.flatMap((a, i) =>
    pages.slice(i + 1).flatMap((b) => {
      const similarity = plainSimilarity(a.bag, b.bag);
      return similarity >= least ? [`${a.url}\t${b.url}\t${Number(similarity.toFixed(6))}`] : [];
    }),
  );
}

longTest('every pair comes once and sorted, for any number of threads and little memory', async () => {
  const expected = truth(0.25);
  assert.ok(expected.length > 500, `${expected.length} pairs`);
  for (const flags of [[], ['--workers', '2', '--memory', '64M', '--recall', '1']]) {
    const { code, stdout, stderr } = await akin(['pairs', index, '--at', '0.25', ...flags]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(stdout.trimEnd().split('\n'), ['url_a\turl_b\tsimilarity', ...expected]);
    assert.match(stderr, /^akin: [\d,]+ rows: exact\n$/);
  }
  assert.deepEqual(readdirSync(join(folder, 'temporary')), [], 'nothing temporary is left');
});

longTest('whoever has read enough leaves nothing temporary behind', async () => {
  const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'pairs', index, '--at', '0.1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  assert.equal(readdirSync(join(folder, 'temporary')).length, 1);
  child.stdout.destroy();
  await ended;
  assert.deepEqual(readdirSync(join(folder, 'temporary')), []);
});

test('settings out of range are refused', async () => {
  for (const flags of [
    ['--at', '0.05'],
    ['--recall', '1.5'],
    ['--memory', '1M'],
    ['--workers', '-1'],
  ]) {
    const { code, stderr } = await akin(['pairs', index, ...flags]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`${flags[0]}( is|:)`));
  }
});
