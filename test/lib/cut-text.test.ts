/** Texts that are cut, wherever that is, keep their characters whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut } from '../../src/explorer/parts/page-link.ts';
import { cutPlace, cutText } from '../../src/lib/cut-text.ts';
import { descriptionOf } from '../../src/page/card/page-card.ts';
import { titleOf } from '../../src/page/document-facts.ts';
import { ownBeginning } from '../../src/service/answers/passages/own-beginning.ts';
import { snippetOf } from '../../src/service/answers/passages/snippet.ts';
import { pageProblem } from '../../src/service/http/problems/problem.ts';

const TEA = '\u{1F375}';

test('a text is cut before a pair of surrogates, not within it', () => {
  const text = `a${TEA}b`;
  assert.deepEqual(
    [0, 1, 2, 3, 4, 9].map((most) => cutText(text, most)),
    ['', 'a', 'a', `a${TEA}`, text, text],
  );
  // Halves alone are none of a pair.
  assert.equal(cutPlace('\udf75\udf75', 1), 1);
  assert.equal(cutPlace('\ud83c\ud83c', 1), 1);
});

test('titles, descriptions, snippets, first words and refusals end and begin with whole characters', () => {
  for (let shift = 0; shift < 2; shift++) {
    const long = `${'x'.repeat(shift)}${TEA.repeat(30_000)}`;
    const refusal = pageProblem(long, 'is not in the index', 'POST it');
    const snippets = [snippetOf(`tea ${long}`, [{ words: ['tea'], isPrefix: false }]), snippetOf(long, [])];
    for (const text of [
      titleOf(long),
      descriptionOf(long),
      cut(long, 140),
      ownBeginning(long, '', new Float64Array(), 4),
      // What is looked at ends before a passage is full.
      ownBeginning(`tea ${' '.repeat(5900 + shift)}${TEA.repeat(80)}`, '', Float64Array.of(1), 4),
      ...snippets.map((snippet) => snippet.text),
      refusal.message,
      refusal.errors?.[0]?.received,
    ]) {
      assert.ok(typeof text === 'string' && text.length > 20);
      assert.ok(text.isWellFormed() && !text.includes('\ufffd'), JSON.stringify(text).slice(-40));
    }
  }
});
