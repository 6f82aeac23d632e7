/** The sentence of an evaluation says no more than its figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../../src/cli/evaluate/notes.ts';

test('a share is called all where it is all, and none where it is none', () => {
  const said = (precision: number) => {
    const judged = { precision, hitRate: 1, ndcg: 1 };
    const verdict = verdictOn(
      { k: 5, all: judged, judged, lengthShare: 1 } as unknown as Parameters<typeof verdictOn>[0],
      { kind: 'labels', chance: null } as Parameters<typeof verdictOn>[1],
    );
    return /(\S+) %/.exec(verdict)![1];
  };
  const shares = [0, 0.0004, 0.034, 0.5, 0.9449, 0.997, 0.99996, 1];
  assert.deepEqual(shares.map(said), ['0', '<0.1', '3.4', '50', '94', '99.7', '99.9', '100']);
});
