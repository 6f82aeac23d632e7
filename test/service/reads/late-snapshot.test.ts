/** A large index answers before it is in memory: as it does then, and also where it never comes to that. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Generation } from '../../../src/service/index/generation.ts';
import { GenerationHolder } from '../../../src/service/index/generation-holder.ts';
import { indexOfFile } from '../../../src/service/reads/file/index-of-file.ts';
import { OpenFile } from '../../../src/service/reads/file/open-file.ts';
import { liveIndex } from '../../../src/service/reads/live/live-index.ts';
import { OPERATION_ROUTES } from '../../../src/service/routes/route/operation.ts';
import type { Service, ServiceState } from '../../../src/service/routes/route/route.ts';
import { addressAsker } from '../address-asker.ts';
import { fixtureIndex, pathOf } from '../fixture-app.ts';
import { GARDEN, MOVED, temporaryFolder } from '../fixture-index.ts';

const indexPath = await fixtureIndex();
const readyz = OPERATION_ROUTES.readyz as unknown as {
  act(service: Pick<Service, 'holder' | 'state'>): Promise<unknown>;
};
const openLate = (path: string) => OpenFile.open(path, { preload: 'later' }, 0);

const QUESTIONS = [
  ...[{}, { limit: 2 }, { limit: 100 }, { same_site: 'exclude' }, { explain: true }].map((more) =>
    pathOf('/related', { url: `${GARDEN}1`, ...more }),
  ),
  pathOf('/related', { url: MOVED }),
  pathOf('/related', { url: `${GARDEN}none` }),
  pathOf('/page', { url: `${GARDEN}2` }),
  pathOf('/sites'),
];

test('answers are the same before all is in memory, and then', async () => {
  const file = await openLate(indexPath);
  const ask = addressAsker(indexOfFile(file));
  const all = () => Promise.all(QUESTIONS.map((question) => ask(question)));
  assert.equal(file.snapshot, null);
  const before = await all();
  await file.whole;
  assert.notEqual(file.snapshot, null);
  assert.deepEqual(await all(), before);
  assert.deepEqual(
    before.map((answer) => answer!.status),
    QUESTIONS.map((question) => (question.includes('none') ? 404 : 200)),
  );
  file.close();
});

test('what plain lists are put together from is there when it is in memory, with pages that wait, too', async () => {
  const file = await openLate(indexPath);
  const live = liveIndex(indexOfFile(file));
  const find = () => live.held?.findHeld(`${GARDEN}1`);
  assert.equal(find(), undefined);
  await file.whole;
  assert.equal(find(), file.reader.findPage(`${GARDEN}1`));
  file.close();
});

test('an index that is closed while it is read into memory is read no further', async () => {
  const file = await openLate(indexPath);
  file.close();
  await file.whole;
  assert.equal(file.snapshot, null);
});

test('what is damaged is a fault, not ready, and answers those who ask from what of the file can be read', async (t) => {
  const path = join(temporaryFolder(t), 'damaged.akin');
  copyFileSync(indexPath, path);
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  db.exec(`DELETE FROM site WHERE id = (SELECT max(site_id) FROM page)`);
  db.close();
  const faults: string[] = [];
  const holder = new GenerationHolder({
    source: {
      look: () => 'one',
      rulesPath: null,
      open: async () => new Generation(indexOfFile(await openLate(path)), { threads: null }),
      lostShards: () => [],
      close: async () => {},
    },
    worker: new URL(import.meta.url),
    pollMs: 0,
    log: { info() {}, error: (_detail, message) => faults.push(message) },
  });
  await holder.open();
  const generation = holder.current();
  await assert.rejects(generation.whole, { code: 'AKIN_ERR_INDEX_CORRUPT' });
  await delay(0);
  assert.deepEqual([holder.status.fault?.code, faults.length], ['AKIN_ERR_INDEX_CORRUPT', 1]);
  assert.equal(generation.held, null);
  const { value } = await generation.answer((reads) => reads.idOf(`${GARDEN}1`));
  assert.ok(value >= 0);
  const state = { draining: false, upkeep: null } as ServiceState;
  // What it looks at by chance is good.
  t.mock.method(Math, 'random', () => 0);
  await assert.rejects(readyz.act({ holder, state }), { code: 'not-ready' });
  await holder.close();
});
