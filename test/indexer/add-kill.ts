import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { startAdd } from './child.ts';

/**
 * Kills additions of a file of JSON lines to an index at moments spread over the time that one takes. After each
 * the index is the old one, byte by byte, or the new one; the one that is let run gives the same generation as
 * one that was never disturbed.
 */
export async function killAdditions(
  target: string,
  path: string,
  kills: number,
  seed: number,
): Promise<void> {
  const base = `${target}.base`;
  copyFileSync(target, base);
  const undisturbed = startAdd(target, path);
  await undisturbed.said('started extract');
  const startedAt = performance.now();
  const generation = generationIn(await undisturbed.ended);
  const durationMs = performance.now() - startedAt;
  assert.ok(generation);
  const random = new Random(seed);
  const old = readFileSync(base);
  copyFileSync(base, target);
  for (let kill = 0; kill < kills; kill++) {
    const child = startAdd(target, path);
    await child.said('extract');
    await sleep(((kill + random.below(1000) / 1000) / kills) * durationMs);
    child.process.kill('SIGKILL');
    assert.doesNotMatch(await child.ended, /error/);
    if (readFileSync(target).equals(old)) continue;
    assert.equal(checkIndex(target).generation, generation);
    copyFileSync(base, target);
  }
  assert.equal(generationIn(await startAdd(target, path).ended), generation);
  assert.deepEqual(checkIndex(target).faults, []);
  assert.ok(!existsSync(`${target}.work`), 'the work folder is gone');
}

function generationIn(said: string): string | undefined {
  return /generation (\S+)/.exec(said)?.[1];
}
