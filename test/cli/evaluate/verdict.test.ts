/** The sentence of an evaluation says no more than its figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../../src/cli/evaluate/notes.ts';

test('a share is called all where it is all, and none where it is none', () => {
  const said = (precision: number) => {
    const judged = { precision, hit: 1, ndcg: 1 };
    const verdict = verdictOn({ k: 5, judged, judgedShare: 1 }, { kind: 'labels', chance: null });
    return /(\S+) %/.exec(verdict)![1];
  };
  const shares = [0, 0.0004, 0.034, 0.5, 0.9449, 0.997, 0.99996, 1];
  assert.deepEqual(shares.map(said), ['0', '<0.1', '3.4', '50', '94', '99.7', '99.9', '100']);
});

test('where lists hold fewer judged pages, the share is of those that they hold', () => {
  // Of ten lists two have five labelled pages, and eight have one each: 18 of 50, 9 of which share a label.
  const few = { k: 5, judged: { precision: 9 / 50, hit: 1, ndcg: 1 }, judgedShare: 18 / 50 };
  assert.equal(
    verdictOn(few, { kind: 'labels', chance: 0.25 }),
    'Of the five nearest labelled pages, lists hold 36 %; of these 50 % share a label with the page; by chance 25 % would.',
  );
  const pairs = { kind: 'pairs', chance: null } as const;
  assert.equal(
    verdictOn(few, pairs),
    'Of the five nearest judged pages, lists hold 36 %; of these 50 % are relevant.',
  );
  const none = { k: 1, judged: { precision: 0, hit: 0, ndcg: 0 }, judgedShare: 0 };
  assert.equal(verdictOn(none, pairs), 'Of the nearest judged pages, lists hold none.');
});
