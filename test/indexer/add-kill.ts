import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import type { ChildBuild } from './child.ts';

/**
 * Kills changes of an index, such as additions, at moments spread over the time that one takes. After each the index is
 * the old one, byte by byte, or the new one; the one that is let run gives the same generation as one that was never
 * disturbed. Returns how many of the killed ones had published.
 */
export async function killChanges(
  target: string,
  start: () => ChildBuild,
  kills: number,
  seed: number,
): Promise<number> {
  const base = `${target}.base`;
  copyFileSync(target, base);
  const undisturbed = start();
  await undisturbed.said('started extract');
  const startedAt = performance.now();
  const generation = generationIn(await undisturbed.ended);
  const durationMs = performance.now() - startedAt;
  assert.ok(generation);
  const random = new Random(seed);
  const old = readFileSync(base);
  copyFileSync(base, target);
  let publishedCount = 0;
  for (let kill = 0; kill < kills; kill++) {
    const child = start();
    await child.said('extract');
    await sleep(((kill + random.below(1000) / 1000) / kills) * durationMs);
    child.process.kill('SIGKILL');
    assert.doesNotMatch(await child.ended, /error/);
    if (readFileSync(target).equals(old)) continue;
    publishedCount++;
    const published = checkIndex(target);
    assert.deepEqual([published.generation, published.faults], [generation, []]);
    copyFileSync(base, target);
  }
  assert.equal(generationIn(await start().ended), generation);
  assert.deepEqual(checkIndex(target).faults, []);
  assert.ok(!existsSync(`${target}.work`), 'the work folder is gone');
  return publishedCount;
}

function generationIn(said: string): string | undefined {
  return /generation (\S+)/.exec(said)?.[1];
}
