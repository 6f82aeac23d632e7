/** Stages that choose one of the records of a group, by the rules of the local build. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldStage } from '../src/copies/fold.ts';
import { topicCenterStage } from '../src/neighbors/topic-center.ts';
import { termStage } from '../src/pages/term.ts';
import { runRows } from './run-rows.ts';

test('a word is named by the form that most pages use first, of equals the first, of two stems the first', async () => {
  const rows = await runRows(termStage, [
    { key: 1, stem: 'rose', form: 'roses', votes: 2 },
    { key: 1, stem: 'rose', form: 'rose', votes: 2 },
    { key: 1, stem: 'rose', form: 'rosing', votes: 1 },
    { key: 2, stem: 'thorn', form: 'thorns', votes: 9 },
    { key: 2, stem: 'keel', form: 'keels', votes: 1 },
  ]);
  assert.deepEqual(rows, [
    { key: 1, stem: 'rose', term: 'rose' },
    { key: 2, stem: 'keel', term: 'keels' },
  ]);
});

test('equal texts are folded to the first, in the language that all of them say', async () => {
  const rows = await runRows(foldStage, [
    { fold: 'a', page_id: 7, lang: 'en' },
    { fold: 'b', page_id: 9, lang: 'de' },
    { fold: 'b', page_id: 4, lang: 'en' },
    { fold: 'b', page_id: 8, lang: '' },
  ]);
  assert.deepEqual(rows, [
    { fold: 'a', folded_id: 7, lang: 'en' },
    { fold: 'b', folded_id: 4, lang: '' },
  ]);
});

test('the center of a topic is the page with most weight in it, the first of equals, even where none has any', async () => {
  const rows = await runRows(topicCenterStage, [
    { level: 0, topic: 1, page_id: 1, within: 3 },
    { level: 0, topic: 1, page_id: 2, within: 5 },
    { level: 0, topic: 1, page_id: 6, within: 5 },
    { level: 1, topic: 1, page_id: 1, within: 0 },
    { level: 1, topic: 3, page_id: 3, within: 0 },
  ]);
  assert.deepEqual(
    rows.map(({ level, topic, center_id }) => [level, topic, center_id]),
    [
      [0, 1, 2],
      [1, 1, 1],
      [1, 3, 3],
    ],
  );
});
