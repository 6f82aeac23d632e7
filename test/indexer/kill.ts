import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/lib/random.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { type ChildOptions, startBuild } from './child.ts';

/**
 * Kills builds at moments spread over the time that one takes; each goes on behind the one killed before, or
 * starts clean behind one that came to its end. The file at the target is whole at every moment, and every
 * build that ends gives the same generation. Returns the stages that some run found complete.
 */
export async function killAndGoOn(options: ChildOptions, kills: number, seed: number): Promise<Set<string>> {
  const undisturbed = startBuild(options);
  await undisturbed.said('started extract');
  const startedAt = performance.now();
  const generation = generationIn(await undisturbed.ended);
  const durationMs = performance.now() - startedAt;
  assert.ok(generation);
  const random = new Random(seed);
  const resumed = new Set<string>();
  const note = (said: string) => {
    for (const [, stage] of said.matchAll(/resumed (.*)/g)) resumed.add(stage!);
    assert.equal(generationIn(said) ?? generation, generation, said);
    assert.doesNotMatch(said, /error/);
  };
  for (let kill = 0; kill < kills; kill++) {
    const before = readFileSync(options.target);
    const child = startBuild(options);
    await child.said('extract');
    // One moment for certain behind a stage, whatever else the machine does meanwhile.
    if (kill === 0) await child.said('started collapse');
    else await sleep(((kill + random.below(1000) / 1000) / kills) * durationMs);
    child.process.kill('SIGKILL');
    note(await child.ended);
    const after = readFileSync(options.target);
    if (!after.equals(before)) assert.deepEqual(checkIndex(options.target).faults, [], 'published whole');
  }
  const last = await startBuild(options).ended;
  note(last);
  assert.equal(generationIn(last), generation);
  assert.deepEqual(checkIndex(options.target).faults, []);
  assert.ok(!existsSync(`${options.target}.work`), 'the work folder is gone');
  return resumed;
}

function generationIn(said: string): string | undefined {
  return /generation (\S+)/.exec(said)?.[1];
}
