/** Where an answer is made, for which client, and what of it is kept. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copiesOfWording } from '../../../src/service/answers/copies/copy-search.ts';
import { copySource } from '../../../src/service/answers/copies/copy-source.ts';
import { pageWording } from '../../../src/service/answers/copies/wording.ts';
import { relatedAnswer } from '../../../src/service/answers/lists/related.ts';
import { FileReads } from '../../../src/service/reads/file/file-reads.ts';
import { Found } from '../../../src/service/reads/found.ts';
import { IN_PLACE_US, TooMuchWork, Unwanted, Work } from '../../../src/service/reads/work.ts';
import { askerOf } from '../../../src/service/routes/route/asking.ts';
import type { Question } from '../../../src/service/routes/route/route.ts';
import { plainOf } from '../../../src/service/schemas/parameter.ts';
import { RELATED } from '../../../src/service/schemas/parameters/list-parameters.ts';
import { longTest } from '../../long-test.ts';
import { fixtureApp, fixtureIndex } from '../fixture-app.ts';
import { GARDEN, temporaryFolder } from '../fixture-index.ts';
import { ESSAY, writeSweepsIndex } from '../sweeps-index.ts';

const app = await fixtureApp(await fixtureIndex());
const generation = app.holder.current();
const query = { ...plainOf(RELATED), url: `${GARDEN}1` };
const question: Question<typeof query> = { query, offset: 0, hash: 'none', body: null };
const stays = () => new AbortController().signal;
const list = { query, offset: 0, hash: 'none' };

test('what turns out to take long is made anew on a thread', async () => {
  const made: string[] = [];
  const ask = askerOf({
    related: {
      answer: async (reads) => {
        made.push('here');
        reads.work.spend(2 * IN_PLACE_US);
        return 'an answer that no thread gives';
      },
    },
  });
  const pageId = generation.file!.reader.findPage(query.url);
  const { value: expected } = await generation.answer((reads) =>
    relatedAnswer({ reads, narrowing: list.query, offset: list.offset }, pageId, list.hash),
  );
  const { value } = await ask(generation, 'related', question, stays);
  assert.deepEqual(value, expected);
  assert.deepEqual(made, ['here']);
  const empty = new Work(0);
  assert.throws(() => empty.spend(1), TooMuchWork);
  await assert.rejects(
    ask(generation, 'related', question, () => AbortSignal.abort()),
    {
      code: 'request-timeout',
    },
  );
});

longTest(
  'a generation that retires between two tries of an answer stays open for the second one',
  async () => {
    const retiring = (await fixtureApp(await fixtureIndex())).holder.current();
    const ask = askerOf({
      related: {
        answer: async (reads) => {
          retiring.retire();
          reads.work.spend(2 * IN_PLACE_US);
          return null;
        },
      },
    });
    const { value } = await ask(retiring, 'related', question, stays);
    assert.equal((value as { related: unknown[] }).related.length, query.limit);
    assert.throws(() => retiring.lease(), { name: 'AssertionError' });
  },
);

test('a client that has gone takes its place among those that wait, and its work, with it', async () => {
  const ask = askerOf({ related: { answer: async () => null, isLong: () => true } });
  const leaving = new AbortController();
  const answers = [stays(), stays(), leaving.signal, stays()].map((gone) =>
    ask(generation, 'related', question, () => gone),
  );
  leaving.abort();
  const ended = await Promise.allSettled(answers);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  const stop = new Int32Array(1);
  const work = new Work(Number.POSITIVE_INFINITY, stop);
  work.spend(1e9);
  stop[0] = 1;
  assert.throws(() => work.spend(0), Unwanted);
});

test('a plain list spends nothing, and one that is explained less than a question may', async () => {
  const pageId = generation.file!.reader.findPage(query.url);
  const spending = async (most: number, more: object = {}) =>
    generation.answer(
      (reads) => relatedAnswer({ reads, narrowing: { ...query, limit: 5, ...more }, offset: 0 }, pageId, ''),
      new Work(most),
    );
  assert.equal((await spending(0)).value.related.length, 5);
  await assert.rejects(spending(100, { explain: true }), TooMuchWork);
  assert.equal((await spending(IN_PLACE_US, { explain: true })).value.related.length, 5);
});

test('what a search has found is kept, unless shards were missed', async () => {
  const path = join(temporaryFolder({ after }), 'sweeps.akin');
  writeSweepsIndex(path);
  const { file } = (await fixtureApp(path)).holder.current();
  const found = async (work: Work) => {
    const reads = new FileReads(file!);
    const wording = await pageWording(copySource(reads), file!.reader.findPage(ESSAY));
    return copiesOfWording(copySource(new FileReads(file!, work)), wording, { skip: -1, exact: false });
  };
  await assert.rejects(found(new Work(0)), TooMuchWork);
  const first = await found(new Work());
  assert.ok(first.span.end > 0);
  assert.equal(await found(new Work(0)), first);

  const kept = new Found();
  let searches = 0;
  const by = (lost: readonly number[]) =>
    kept.by(
      'key',
      { lost },
      () => 1,
      async () => ++searches,
    );
  assert.deepEqual([await by([1]), await by([]), await by([])], [1, 2, 2]);
});
