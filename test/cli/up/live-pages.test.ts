import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ChildCommands } from '../../../src/cli/up/child-commands.ts';
import { livePages } from '../../../src/cli/up/live-pages.ts';
import { newFolder } from '../../new-folder.ts';

test('folds leave nothing behind on the signal that ends them all', async () => {
  const folder = newFolder('live-pages');
  after(() => rmSync(folder, { recursive: true }));
  const rules = {
    host: '127.0.0.1',
    writable: true,
    maxPendingPages: 1,
    maxPendingBytes: 1,
    foldShare: 1,
    foldAfterMs: 1,
  };
  const { run } = livePages(join(folder, 'none.akin'), rules, new ChildCommands(process.env));
  const stopping = new AbortController();
  for (let i = 0; i < 2; i++) {
    const fold = run([join(folder, 'none.jsonl')], 'sweep', stopping.signal, () => {});
    await assert.rejects(fold, /cannot read the index/);
  }
  assert.equal(getEventListeners(stopping.signal, 'abort').length, 1);
});
