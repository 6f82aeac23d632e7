/** The formulas that the job has in SQL are the functions of the local build. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelScore } from '../../../src/cluster/label.ts';
import { topicWeight } from '../../../src/cluster/topic-graph.ts';
import { Random } from '../../../src/lib/random.ts';
import { FORMULAS } from '../src/shared-numbers.ts';

/** A formula as a function of its columns: what SQL and JavaScript have in common, and three functions of SQL. */
function evaluated(formula: string, columns: Readonly<Record<string, number | null>>): number {
  const sql = {
    ln: Math.log,
    sqrt: Math.sqrt,
    coalesce: (...values: (number | null)[]) => values.find((v) => v !== null),
  };
  const names = [...Object.keys(sql), ...Object.keys(columns)];
  return new Function(...names, `return ${formula}`)(...Object.values(sql), ...Object.values(columns));
}

test('a formula in SQL gives what the function of the local build gives', () => {
  const random = new Random(5);
  const upTo = (most: number) => 1 + random.below(most);
  const share = () => upTo(1000) / 1001;
  for (let run = 0; run < 50; run++) {
    const [weight, total, in_all, total_of_all] = [upTo(50), 50 + upTo(500), 50 + upTo(50), 600 + upTo(9000)];
    const [pages, size] = [upTo(20) - share(), 20 + upTo(9)];
    const word = { weight, total, in_all, total_of_all, pages, size };
    const score = labelScore(weight, total, in_all, total_of_all, pages, size);
    assert.equal(evaluated(FORMULAS.labelScore, word), score);
    const [ofScore, own, other] = [share(), upTo(5), upTo(5) + share()];
    const entry = { score: ofScore, own, other };
    assert.equal(evaluated(FORMULAS.topicWeight, entry), topicWeight(ofScore, own, other));
    assert.equal(evaluated(FORMULAS.topicWeight, { ...entry, other: null }), topicWeight(ofScore, own, 0));
  }
});
