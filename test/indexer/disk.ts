import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { build, input, temporaryFolder } from './build.ts';
import { startBuild } from './child.ts';
import { toJsonl, villagePages } from './pages.ts';

export function files(t: TestContext) {
  const folder = temporaryFolder(t);
  const [before, path] = [join(folder, 'before.jsonl'), join(folder, 'pages.jsonl')];
  writeFileSync(before, toJsonl(villagePages(3)));
  writeFileSync(path, toJsonl(villagePages(40)));
  return { folder, before, path };
}

/** Declares the test of a build that may write no larger file. */
export function testFileLimit(limitKiB: number): void {
  test(`a file that may not grow above ${limitKiB} KiB is a full disk: said so, the old index stands`, async (t) => {
    const { folder, before, path } = files(t);
    const target = join(folder, 'a.akin');
    await build(t, { inputs: [input(before)], target });
    const old = readFileSync(target);
    const said = await startBuild({ inputs: [input(path)], target }, `ulimit -f ${limitKiB}`).ended;
    assert.match(said, /error AKIN_ERR_DISK/);
    assert.ok(readFileSync(target).equals(old));
    const undisturbed = await build(t, { inputs: [input(path)], target: join(folder, 'b.akin') });
    const { report, noted } = await build(t, { inputs: [input(path)], target });
    assert.equal(report.generation, undisturbed.report.generation);
    const done = Array.from(said.matchAll(/started (.*)/g), (match) => match[1]).slice(0, -1);
    assert.deepEqual(
      noted.stages.filter((stage) => stage.resumed).map((stage) => stage.name),
      done,
      'the run with room goes on behind what was done',
    );
  });
}
