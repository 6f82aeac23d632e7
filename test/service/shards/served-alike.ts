import type { TestContext } from 'node:test';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { startServer } from '../child-server.ts';
import { fixtureApp } from '../fixture-app.ts';
import { type Compared, compare, questionsAbout } from './same-answers.ts';

/** So long that every search is exact; a number that JSON has. */
const EXACT = { exactSearchUs: Number.MAX_SAFE_INTEGER };

/**
 * Asks an index, its shards as files of one process, and a process a shard behind a server of their own, the same questions:
 * `rounds` of every kind of the files, a fifth of that of the processes.
 */
export async function assertServedAlike(
  t: TestContext,
  wholePath: string,
  shardPaths: readonly string[],
  rounds: number,
): Promise<Compared> {
  const whole = await fixtureApp(wholePath, EXACT);
  const files = await fixtureApp('', { ...EXACT, indexPath: shardPaths });
  const options = { logLevel: 'silent', maxEventLoopDelayMs: 0, ...EXACT } as const;
  const shards = await Promise.all(shardPaths.map((path) => startServer(t, path, options)));
  const urls = shards.map(({ port }) => `http://127.0.0.1:${port}`);
  const processes = await fixtureApp('', { ...EXACT, indexPath: [], peers: { urls, timeLimitMs: 60_000 } });
  const reader = IndexReader.open(wholePath);
  const sum = { answers: 0, cut: 0 };
  for (const [parts, count, seed] of [
    [files, rounds, 4],
    [processes, Math.ceil(rounds / 5), 5],
  ] as const) {
    for (const question of questionsAbout(reader, count, seed)) {
      const { answers, cut } = await compare(whole, parts, question);
      sum.answers += answers;
      sum.cut += cut;
    }
  }
  reader.close();
  return sum;
}
