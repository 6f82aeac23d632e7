/** Folds of pages that were handed over: in the index after one, and none lost between. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { PageJournal } from '../../../src/store/journal/page-journal.ts';
import { longTest } from '../../long-test.ts';
import { type Body, fixtureApp, pathOf } from '../fixture-app.ts';
import { addSweep, GARDEN } from '../fixture-index.ts';
import { LIMITS, NEW, recordsOf, refused, writable } from './writable.ts';

test('a fold that fails says why; what a killed one left behind is removed', async () => {
  const log: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void log.push(line) });
  const run: RunFold = async (_paths, _sweep, _stop, say) => {
    say('extract: 3 in 0.1 s');
    throw new Error('no room on the disk; free some');
  };
  const { app, put, ask, indexPath } = await writable({ run }, { logger });
  await put(NEW, { text: 'one rose' });
  const { body } = await ask('POST', '/pages/fold', undefined, { prefer: 'wait=60' });
  assert.deepEqual([body.state, body.detail], ['failed', 'no room on the disk; free some']);
  assert.equal((await ask('GET', `/folds/${body.id}`)).body.detail, body.detail);
  const said = log.map((line) => JSON.parse(line)).filter(({ fold }) => fold === body.id);
  assert.deepEqual(
    said.map(({ level, msg }) => [level, msg]),
    [
      [30, 'extract: 3 in 0.1 s'],
      [50, 'fold failed'],
    ],
  );
  assert.match(JSON.stringify(said), /no room on the disk/);
  const metrics = (await app.inject('/metrics')).body;
  assert.match(metrics, /^akin_pages_pending 1$/m);
  assert.match(metrics, /^akin_pages_pending_age_seconds 0?\.?\d+/m);
  await app.close();
  const left = `${indexPath}.pages.${body.id}.0.jsonl`;
  const other = `${indexPath}.pages.mine.jsonl`;
  for (const path of [left, other]) writeFileSync(path, '{}\n');
  await fixtureApp(indexPath, { live: { ...LIMITS, run } });
  assert.deepEqual([existsSync(left), existsSync(other)], [false, true]);
});

longTest(
  'a clock that is set back keeps no page waiting, nor the next fold behind one that failed',
  async (t) => {
    const [now, sinceStart] = [Date.now, performance.now.bind(performance)];
    let [ahead, later] = [10 * 86_400_000, 0];
    t.mock.method(Date, 'now', () => now() + ahead);
    t.mock.method(performance, 'now', () => sinceStart() + later);
    let begun = Promise.withResolvers<void>();
    let count = 0;
    const run: RunFold = async () => {
      count++;
      begun.resolve();
      return false;
    };
    const { put } = await writable({ run, waitMs: 86_400_000 });
    await put(NEW, { text: 'one rose' });
    ahead = 0;
    await begun.promise;
    begun = Promise.withResolvers();
    await setTimeout(2500);
    assert.equal(count, 1, 'not at once again');
    later = 61_000;
    await begun.promise;
    assert.equal(count, 2);
  },
);

test('who waits for a fold that takes longer is answered before the connection ends as a silent one', async () => {
  const held = Promise.withResolvers<boolean>();
  const { app, put } = await writable({ run: () => held.promise }, { connectionLimits: { silenceMs: 1000 } });
  await put(NEW, { text: 'one rose' });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await fetch(`${address}/pages/fold`, { method: 'POST', headers: { prefer: 'wait=60' } });
  assert.deepEqual([answer.status, ((await answer.json()) as Body).state], [202, 'running']);
  held.resolve(true);
});

test('after a fold the index has what was handed over, and what came meanwhile still waits', async () => {
  let begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { app, put, ask, indexPath } = await writable({
    run: async ([path], sweep) => {
      begun.resolve();
      await held.promise;
      await addSweep(indexPath, recordsOf(readFileSync(path!, 'utf8').trim().split('\n')), 'part', sweep);
      return true;
    },
  });
  const related = async (url: string) => (await ask('GET', pathOf('/related', { url, limit: 100 }))).body;
  const roses = (
    await ask('POST', '/compare?include_text=true', { a: { url: `${GARDEN}0` }, b: { url: `${GARDEN}1` } })
  ).body.a.text;
  await put(NEW, { title: 'New', text: roses });
  await put(`${NEW}er`, { title: 'Newer', text: roses });
  await ask('DELETE', pathOf('/pages', { url: `${GARDEN}3` }));
  const fold = await ask('POST', '/pages/fold');
  assert.equal(fold.status, 202);
  await begun.promise;
  await put(`${NEW}er`, { title: 'Newest', text: roses });
  await ask('DELETE', pathOf('/pages', { url: `${GARDEN}4` }));
  assert.equal((await ask('POST', '/pages/fold')).body.id, fold.body.id, 'one at a time');
  held.resolve();
  const done = await ask('POST', '/pages/fold', undefined, { prefer: 'respond-async, wait=60' });
  assert.deepEqual([done.status, done.body.state, done.body.id], [200, 'done', fold.body.id]);
  assert.equal((await ask('GET', String(fold.headers['location']))).body.state, 'done');
  const urls = (await related(`${GARDEN}0`)).related.map(({ url }: Body) => url);
  assert.ok(urls.includes(NEW) && urls.includes(`${NEW}er`));
  assert.ok(
    !urls.includes(`${GARDEN}3`) && !urls.includes(`${GARDEN}4`),
    'gone, one of them while it was folded in',
  );
  assert.equal((await ask('GET', pathOf('/page', { url: `${NEW}er` }))).body.title, 'Newest');
  assert.equal((await ask('GET', '/pages/pending')).body.count, 2);
  begun = Promise.withResolvers();
  await ask('POST', '/pages/fold', undefined, { prefer: 'wait=60' });
  assert.equal((await ask('GET', pathOf('/page', { url: `${NEW}er` }))).body.title, 'Newest');
  const later = (await related(`${GARDEN}0`)).related.map(({ url }: Body) => url);
  assert.ok(!later.includes(`${GARDEN}4`) && later.includes(NEW));
  assert.equal((await ask('GET', '/pages/pending')).body.count, 0);
  // Deletes alone are folded in, too.
  await ask('DELETE', pathOf('/pages', { url: NEW }));
  assert.equal((await ask('POST', '/pages/fold', undefined, { prefer: 'wait=60' })).body.state, 'done');
  assert.ok(!(await related(`${GARDEN}0`)).related.some(({ url }: Body) => url === NEW));
  assert.equal(app.holder.status.swapCount, 3);
});

test('a fold that fails loses nothing; one that was published by another process is not made twice', async () => {
  const { put, ask, indexPath, app } = await writable();
  await put(NEW, { text: 'one rose and a thorn' });
  const failed = await ask('POST', '/pages/fold', undefined, { prefer: 'wait=10' });
  assert.equal(failed.body.state, 'failed');
  const { count, bytes } = (await ask('GET', '/pages/pending')).body;
  assert.equal(count, 1);
  await app.close();
  // A server was killed while its fold went on: the index has the page, the journal too.
  const journal = PageJournal.open(`${indexPath}.pages`);
  const records = [...journal.records(0, journal.lastSequence)];
  assert.deepEqual([journal.figures().count, journal.figures().bytes], [count, bytes], 'counted or read');
  const sweep = `live-${journal.id}-${journal.lastSequence}`;
  journal.close();
  await addSweep(indexPath, recordsOf(records), 'part', sweep);
  const again = await fixtureApp(indexPath, { live: { ...LIMITS, run: refused } });
  const { state } = (
    await again.inject({ method: 'PUT', url: pathOf('/pages', { url: `${NEW}er` }), payload: { text: 'a' } })
  ).json();
  assert.equal(state, 'added');
  assert.equal((await again.inject('/pages/pending')).json().count, 1);
  assert.deepEqual(
    readdirSync(dirname(indexPath)).filter((name) => /pages\..*jsonl$/.test(name)),
    [],
  );
});

test('pages are folded in where one more found no room', async () => {
  const ran = Promise.withResolvers<string>();
  const { put } = await writable({
    maxPending: 1,
    run: async ([path]) => {
      ran.resolve(readFileSync(path!, 'utf8'));
      return false;
    },
  });
  await put(NEW, { text: 'one rose' });
  assert.equal((await put(`${NEW}er`, { text: 'two roses' })).body.code, 'too-many-pending');
  assert.equal(JSON.parse(await ran.promise).url, NEW);
});

longTest('pages are folded in when they are many, and when they have waited', async () => {
  for (const rules of [
    { share: 0.01, waitMs: 1e9 },
    { share: 2, waitMs: 10 },
  ]) {
    const ran = Promise.withResolvers<string>();
    const { put } = await writable({
      ...rules,
      run: async ([path]) => {
        ran.resolve(readFileSync(path!, 'utf8'));
        return false;
      },
    });
    await put(NEW, { text: 'one rose' });
    assert.equal(JSON.parse(await ran.promise).url, NEW);
  }
});
