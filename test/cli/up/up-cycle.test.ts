import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EXIT } from '../../../src/cli/terminal/process-end.ts';
import { ChildCommands } from '../../../src/cli/up/child-commands.ts';
import { UpCycle } from '../../../src/cli/up/up-cycle.ts';
import { CrawlFolder } from '../../../src/crawl/folder/crawl-folder.ts';
import { SETTINGS } from '../../crawl/loopback.ts';
import { buildPages, temporaryFolder } from '../../indexer/build.ts';
import { firstSweep } from '../../indexer/sweeps.ts';

/** Notes the first command instead of running it, and asks for no other. */
class FirstCommand extends ChildCommands {
  argv: readonly string[] = [];

  override async run(argv: readonly string[]): Promise<null> {
    this.argv = argv;
    this.stop();
    return null;
  }
}

/** What `up` does next where a sweep was crawled and the index has the sweep of this name. */
async function nextCommand(t: TestContext, indexed: string, endedAtMs = 0): Promise<readonly string[]> {
  const folder = temporaryFolder(t);
  mkdirSync(folder, { recursive: true });
  const crawl = CrawlFolder.open(join(folder, 'crawl'), SETTINGS, () => 0);
  Object.assign(crawl.state, { ending: 'complete', endedAtMs });
  crawl.commit();
  crawl.close();
  const { target } = await buildPages(t, firstSweep(), { sweepName: indexed });
  copyFileSync(target, join(folder, 'web.akin'));
  const children = new FirstCommand({});
  const cycle = new UpCycle(folder, children, { seeds: [], crawlFlags: [], everyMs: 1 });
  assert.equal(await cycle.untilIndexed(assert.fail), true);
  await cycle.keepFresh(assert.fail);
  return children.argv;
}

test('a sweep that the index has is not added again, also where the process died behind its command', async (t) => {
  const [command, flag] = await nextCommand(t, 'sweep-1');
  assert.deepEqual([command, flag], ['crawl', '--recrawl']);
});

test('a sweep that the index lacks is added', async (t) => {
  assert.equal((await nextCommand(t, 'sweep-0'))[0], 'add');
});

test('a clock that went back puts the next sweep off by one interval', async (t) => {
  const inAYear = Date.now() + 365 * 86_400_000;
  assert.deepEqual((await nextCommand(t, 'sweep-1', inAYear)).slice(0, 2), ['crawl', '--recrawl']);
});

test('a first crawl that something ends from outside is tried again, one that fails ends with its cause', async (t) => {
  const codes = [EXIT.transient, EXIT.transient, EXIT.usage];
  class Failing extends ChildCommands {
    override async run(): Promise<number> {
      return codes.shift()!;
    }
  }
  const options = { seeds: ['http://a.example/'], crawlFlags: [], everyMs: 1, retryMs: 1 };
  const said: string[] = [];
  const cycle = new UpCycle(temporaryFolder(t), new Failing({}), options);
  await assert.rejects(
    cycle.untilIndexed((text) => said.push(text)),
    { code: 'AKIN_ERR_CONFIG' },
  );
  assert.deepEqual(said, Array(2).fill('crawl failed for now, and is tried again'));
});
