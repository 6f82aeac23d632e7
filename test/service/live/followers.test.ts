/** A server that shows what another one takes knows what it has met alone. The servers as processes are in the long check. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { catchUp } from '../../../src/service/live/catch-up.ts';
import type { KnownPage } from '../../../src/service/live/known-pages.ts';
import { goneRecord, saidDigest } from '../../../src/store/journal/journal-record.ts';
import { PageJournal } from '../../../src/store/journal/page-journal.ts';
import { fixtureApp, fixtureIndex } from '../fixture-app.ts';

const NONE_READY = { find: () => null, keep() {} };
const url = 'https://live.example/';
const known: KnownPage = {
  isThere: false,
  textDigest: '',
  datedMs: 0,
  givenDigest: '',
  pending: { url, pageId: -1, fetchedAtMs: 0, said: null },
  aliases: [],
};

/** A server, and a journal of another one that takes one page more whenever it is asked to. */
async function besideAnother() {
  const indexPath = await fixtureIndex();
  const limits = { maxPending: 10, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
  const app = await fixtureApp(indexPath, { live: { ...limits, run: async () => false } });
  const journal = PageJournal.open(`${indexPath}.other`);
  after(() => journal.close());
  const record = `{"url":"${url}","status":410,"fetched_at":"1970-01-01T00:00:00.000Z"}`;
  const digest = saidDigest(goneRecord(url));
  const entry = { url, record, isGone: true, digest, textDigest: '', datedMs: 0, atMs: 0 };
  const put = () => journal.write((write) => write(entry));
  return { app, generation: app.holder.current(), journal, put };
}

test('a journal that has forgotten what a later index has makes no reader say that it knows it', async () => {
  const { app, generation, journal, put } = await besideAnother();
  const sequence = async () => {
    await catchUp(
      async () => [known],
      journal,
      generation,
      NONE_READY,
      () => {},
    );
    return app.holder.sequence;
  };
  put();
  assert.equal(await sequence(), 1);
  journal.forget(1);
  put();
  assert.equal(await sequence(), 2, 'it has known what was forgotten');
  put();
  journal.forget(3);
  put();
  assert.equal(await sequence(), 2);
});

test('an index whose place another one takes stays open until the pages are in it', async () => {
  const { generation, journal, put } = await besideAnother();
  put();
  const retired = async () => {
    generation.retire();
    return [known];
  };
  await catchUp(retired, journal, generation, NONE_READY, () => generation.local!.siteId('live.example'));
  assert.throws(() => generation.lease(), /before it closes/);
});
