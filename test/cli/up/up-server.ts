import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCommands } from '../../../src/cli/up/child-commands.ts';
import { UpCycle } from '../../../src/cli/up/up-cycle.ts';
import { buildApp } from '../../../src/service/app.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { akin } from '../terminal.ts';

/** `akin up` in this process; the next crawl is far away. @param share of the pages from which on they are folded in. */
export async function up(t: TestContext, folder: string, share = 2, maxPending = 100) {
  const target = join(folder, 'web.akin');
  const folded: { inputs: readonly string[]; sweep: string }[] = [];
  const run: RunFold = async (inputs, sweep) => {
    folded.push({ inputs: inputs.map((path) => path.split('/').at(-1)!), sweep });
    const { code, stderr } = await akin(['add', ...inputs, '--to', target, '--sweep', sweep]);
    assert.equal(code, 0, stderr);
    return true;
  };
  const children = new ChildCommands(process.env);
  const cycle = new UpCycle(folder, children, { seeds: [], crawlFlags: [], everyMs: 1e9, foldShare: 0.1 });
  const limits = { maxPending, maxPendingBytes: 2 ** 24, share, waitMs: 1e9 };
  const live = { ...limits, run, isOpen: false, archives: () => cycle.archives() };
  const app = await buildApp({ indexPath: target, pollMs: 0, maxEventLoopDelayMs: 0, live });
  const fresh = Promise.withResolvers<void>();
  const keeping = cycle.keepFresh(app.pageDoor!, (text) =>
    /^the next crawl/.test(text) ? fresh.resolve() : fresh.reject(new Error(text)),
  );
  await fresh.promise;
  const ask = async (path: string, url: string) => {
    const answer = await app.inject(`${path}?url=${encodeURIComponent(url)}`);
    return answer.statusCode === 200 ? answer.json() : null;
  };
  const untilFolded = async () => {
    for (let i = 0; i < 400 && (cycle.archives() !== null || app.pageDoor!.isFolding); i++) await sleep(50);
  };
  let closing: Promise<void> | undefined;
  const end = async () => {
    children.stop();
    await keeping;
    await app.close();
  };
  const close = () => (closing ??= end());
  t.after(close);
  return { app, ask, cycle, folded, untilFolded, close };
}
