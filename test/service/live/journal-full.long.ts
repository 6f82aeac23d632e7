/** A disk without room for more pages: 507 and nothing half done, reads go on, and pages are taken again when there is room. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Random } from '../../../src/lib/random.ts';
import { type Body, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { GARDEN, temporaryFolder } from '../fixture-index.ts';

const live = { maxPending: 10_000, maxPendingBytes: 2 ** 28, share: 2, waitMs: 1e9, run: async () => false };
const LINES = 40;
const random = new Random(1);
/** Some 20 kB. */
const textOf = () => Array.from({ length: 3000 }, () => `w${random.below(2 ** 20).toString(36)}`).join(' ');
const urlOf = (name: string) => `https://full.example/${name}`;

test('a journal on a full disk', {
  skip: process.getuid?.() !== 0 && 'only root mounts a disk',
}, async (t) => {
  const disk = join(temporaryFolder(t), 'disk');
  mkdirSync(disk);
  const path = join(disk, 'a.akin');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  const apps: FastifyInstance[] = [];
  // Before the folder is removed, which hooks do in the order in which they were set.
  try {
    await fill(disk, path, apps);
  } finally {
    for (const app of apps) await app.close();
    execFileSync('umount', [disk]);
  }
});

async function fill(disk: string, path: string, apps: FastifyInstance[]): Promise<void> {
  copyFileSync(await fixtureIndex(), path);
  const app = await fixtureApp(path, { live });
  apps.push(app);
  const put = (name: string) =>
    app.inject({ method: 'PUT', url: pathOf('/pages', { url: urlOf(name) }), payload: { text: textOf() } });
  const lines = async (name: string) => {
    const payload = Array.from({ length: LINES }, (_, i) =>
      JSON.stringify({ url: urlOf(`${name}/${i}`), text: textOf() }),
    ).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    return app.inject({ method: 'POST', url: '/pages', payload, headers });
  };
  const count = async () => ((await app.inject('/pages/pending')).json() as Body).count;
  const has = async (name: string) =>
    (await app.inject(pathOf('/page', { url: urlOf(name) }))).statusCode === 200;

  const filler = join(disk, 'filler');
  for (let i = 0; i < 8; i++) assert.equal((await put(`first/${i}`)).statusCode, 201);
  const ready = `${path}.pages.ready`;
  await delay(50);
  assert.ok(existsSync(ready));
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc((bavail - 4) * bsize));
  const kept: string[] = [];
  let refused = '';
  for (let i = 0; refused === '' && i < 100; i++) {
    const answer = await put(String(i));
    if (answer.statusCode === 201) {
      kept.push(String(i));
      continue;
    }
    assert.deepEqual([answer.statusCode, answer.json().code], [507, 'journal-full']);
    refused = String(i);
  }
  assert.notEqual(refused, '', 'the disk was full once');
  assert.ok(kept.length >= 8, 'what was made of the first pages has made room for as many');
  assert.ok(!existsSync(ready));
  kept.push(...Array.from({ length: 8 }, (_, i) => `first/${i}`));
  assert.equal(await count(), kept.length);
  assert.equal(await has(refused), false);
  const all = await lines('lines');
  assert.deepEqual([all.statusCode, all.json().code], [507, 'journal-full']);
  assert.equal(await count(), kept.length, 'none of the lines is there');
  assert.equal((await app.inject(pathOf('/related', { url: `${GARDEN}0` }))).statusCode, 200);
  for (const name of kept) assert.ok(await has(name));

  rmSync(filler);
  assert.equal((await put(refused)).statusCode, 201);
  assert.equal((await lines('lines')).json().added, LINES);
  await app.close();
  const again = await fixtureApp(path, { live });
  apps.push(again);
  for (const name of [...kept, refused, 'lines/0', `lines/${LINES - 1}`]) {
    const answer = await again.inject(pathOf('/page', { url: urlOf(name) }));
    assert.equal(answer.statusCode, 200, `${name} is there after a start`);
  }
}
