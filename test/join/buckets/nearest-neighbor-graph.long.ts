import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/lib/random.ts';
import { generateBags } from '../../generated-bags.ts';
import { bagOf, matrixOf } from '../bags.ts';
import { nearestNeighborGraph } from '../in-memory.ts';

test('nothing is left untried below the target, and short pages among long ones hold it too', async () => {
  // Long pages with neighbors that know one another, and short ones whose neighbors have nothing in common.
  const long = generateBags({ pageCount: 3000, weightSum: 400, seed: 3 });
  const random = new Random(8);
  const rows = Array.from({ length: 6000 }, (_, page) =>
    page < 3000
      ? new Map([...bagOf(long, page).features].map((feature, i) => [feature, bagOf(long, page).weights[i]!]))
      : new Map(
          Array.from({ length: 12 }, () => [long.featureCount + random.below(800), 1 + random.below(9)]),
        ),
  );
  const mixed = matrixOf(rows, long.featureCount + 800);
  const graph = await nearestNeighborGraph(mixed);
  const short = graph.kinds.find(({ kind }) => kind === 'short');
  const isMet = graph.recallLow >= 0.97 && graph.kinds.every(({ recallHigh }) => recallHigh >= 0.97);
  assert.ok(short !== undefined && short.sampleCount > 300);
  assert.ok(
    isMet || (graph.repetitions === 48 && graph.rounds === 8),
    `${graph.repetitions}, ${graph.rounds}`,
  );
  const few = await nearestNeighborGraph(mixed, { maxRepetitions: 12, maxRounds: 1 });
  assert.deepEqual([few.repetitions, few.rounds], [12, 1]);
  assert.ok(few.recall < graph.recall);
});
