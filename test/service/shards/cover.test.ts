/** The fewest pages that hold a text are those of one index, over shards that have texts in common, too. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { longTest } from '../../long-test.ts';
import { fixtureApp } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';
import { prose } from '../sweeps-index.ts';
import { assertSame, type Question } from './same-answers.ts';

const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };
const EVERYWHERE = prose(50, 60);
const OFTEN = prose(51, 60);
/** 250 texts that share a passage, 150 of them another one, too; each on several pages, which lie in several shards. */
const texts = Array.from({ length: 250 }, (_, i) =>
  [prose(100 + i, 40), EVERYWHERE, prose(400 + i, 40), i < 150 ? OFTEN : prose(700 + i, 60)].join(' '),
);
const pages = texts.flatMap((text, i) =>
  ['a', 'b', 'c'].map((site) => ({ url: `https://${site}.example/${i}`, text })),
);

const indexes = recordIndexes(temporaryFolder({ after }));
const { target } = await indexes.build('cover', pages);
const whole = await fixtureApp(target, EXACT);
const parts = await fixtureApp('', { ...EXACT, indexPath: await indexes.split(target) });

function cover(text: string, query = ''): Question {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url: `/cover${query}`, payload: JSON.stringify({ text }), headers };
}

/** The beginnings of three texts, and a passage that more of them have. */
const textOf = (passage: string) =>
  [3, 70, 120]
    .map((i) => texts[i]!.split(' ').slice(0, 40).join(' '))
    .concat(passage)
    .join(' ');

test('a text that several shards have is one of those that are looked at', async () => {
  const question = cover(textOf(OFTEN), '?min_share=0.01');
  const { body } = await whole.inject(question);
  const { pages: taken, complete } = JSON.parse(body);
  assert.deepEqual([taken.length, complete], [3, true], body);
  await assertSame(whole, parts, question);
});

longTest('where more texts share as much than are looked at, these are the same ones', async () => {
  const question = cover(EVERYWHERE);
  assert.equal(JSON.parse((await whole.inject(question)).body).complete, false);
  await assertSame(whole, parts, question);
});
