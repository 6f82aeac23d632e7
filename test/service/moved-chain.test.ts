/** A page that moved, whose new place was lost later: the way to where the text is now is followed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { redirectLines } from '../../src/cli/exports/redirect-map.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { asSweeps, DEFAULTS, input, noting } from '../indexer/build.ts';
import { prose } from '../indexer/pages.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

const HOST = 'https://moved.example/';
const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `${HOST}${name}`) as [
  string,
  string,
  string,
];
/** Each text has two parts of the one before; the first and the third have one in common, a tenth of the first. */
const part = (seed: number, count: number) => prose(seed, count, seed);
const TEXTS = [
  [part(1, 360), part(2, 40)],
  [part(1, 200), part(2, 40), part(3, 200)],
  [part(2, 40), part(3, 200)],
];
const steady = { url: `${HOST}steady`, text: part(9, 200) };
const copied = { url: `${HOST}copied`, text: steady.text };
const folder = temporaryFolder({ after });
const inputs = [FIRST, SECOND, THIRD].map((url, i) => {
  const path = join(folder, `${i + 1}.jsonl`);
  const page = { url, text: TEXTS[i]!.join(' '), title: `Page ${i}` };
  writeFileSync(
    path,
    [page, steady, ...(i === 0 ? [copied] : [])].map((one) => JSON.stringify(one)).join('\n'),
  );
  return input(path);
});
const target = join(folder, 'moved.akin');
await buildIndex({ ...DEFAULTS, target, inputs: asSweeps(inputs), isWhole: true }, noting().listener);
const ask = asker(await fixtureApp(target));

test('a place that is lost itself comes last and leads on to where its text is now', async () => {
  const { body } = await ask('/moved', { url: FIRST, min_containment: 0.4 });
  const [place] = body.candidates;
  assert.equal(body.candidates.length, 1);
  assert.deepEqual(
    [place.url, place.strength, place.now_at],
    [SECOND, 'gone', { url: THIRD, title: 'Page 2' }],
  );
  const { body: next } = await ask('/moved', { url: SECOND, min_containment: 0.4 });
  assert.deepEqual(
    next.candidates.map(({ url, strength, now_at }: Record<string, unknown>) => [url, strength, now_at]),
    [
      [THIRD, 'now_at', null],
      [FIRST, 'gone', null],
    ],
  );
  const { text } = await ask('/moved.html', { url: FIRST, min_containment: 0.4 });
  assert.match(text, new RegExp(`Perhaps you are looking for</h2>[^]*href="${THIRD}"`));
});

test('a page that is there is not said to be the new place of what had its text', async () => {
  const { body } = await ask('/moved', { url: steady.url });
  const found = body.candidates.map(({ url, strength, now_at }: Record<string, unknown>) => [
    url,
    strength,
    now_at,
  ]);
  assert.deepEqual(found, [[copied.url, 'gone', null]]);
  assert.equal((await ask('/moved', { url: copied.url })).body.candidates[0].url, steady.url);
});

test('the redirect map leads to the end of the way', () => {
  const { line } = redirectLines('nginx', 0.4);
  const row = {
    url: FIRST,
    moved_to: SECOND,
    now_at: THIRD,
    strength: 'gone',
    share: 0.6,
    evidence: ['resemblance'],
  };
  const made = line(row, 0 as never, [] as never);
  assert.match(made, /"~\^moved\\\.example\/first\$" "https:\/\/moved\.example\/third";/);
  assert.match(made, /60 % of its text in \S+second, which is gone too and is now at \S+third/);
});
