/** Pages that wait for an index of the kernel bm25, in its lists: as BM25 has it by the formula, and nearly as an index of all has them. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { knownPages } from '../../../src/service/live/known-pages.ts';
import { liveIndex } from '../../../src/service/reads/live/live-index.ts';
import { openIndex } from '../../../src/service/reads/shards/open-shards.ts';
import { longTest } from '../../long-test.ts';
import { shortTexts, slowBm25 } from '../../slow-bm25.ts';
import { asker, type Body, fixtureApp, pathOf } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const LIMIT = 12;
const BM25 = { kernel: 'bm25', parts: { content: 1 }, neighborLimit: LIMIT } as const;
const urlOf = (i: number) => `https://posts.example/${String(i).padStart(3, '0')}`;
const TEXTS = shortTexts(110);
const STORED = TEXTS.slice(0, 60);
const [, ...CHANGES] = shortTexts(40, 11);

const folder = temporaryFolder({ after });
const indexes = recordIndexes(folder);
const records = (texts: readonly string[]) => texts.map((text, i) => ({ url: urlOf(i), text }));
const { target } = await indexes.build('stored', records(STORED), BM25);
const shards = await indexes.split(target);
/** Lists so short that more come near to a page than are kept with it. */
const FEW = 2;
const short = await indexes.build('short', records(STORED), { ...BM25, neighborLimit: FEW });

/** What is written, in turn: new pages, pages that change, some of them once more, and pages that go. */
const WRITES = [
  ...TEXTS.slice(60, 80).map((text, i) => [60 + i, text] as const),
  ...CHANGES.slice(0, 12).map((text, i) => [5 * i, text] as const),
  ...[3, 10, 17, 61, 75].map((page) => [page, null] as const),
  ...CHANGES.slice(12, 20).map((text, i) => [56 + 2 * i, text] as const),
  [17, CHANGES[20]!] as const,
];

async function live(paths: readonly string[], count = LIMIT) {
  const index = liveIndex(await openIndex(paths, { preload: true }));
  after(() => index.close());
  return {
    read: async (url: string) => (await index.answer((reads) => reads.idOf(url))).value,
    write: async (sequence: number, record: object) => {
      const { value } = await index.answer((reads) => knownPages(reads, index.local, JSON.stringify(record)));
      const pages = value.map(({ pending }) => pending);
      index.segment.apply({ pages, sequence, beyond: 0, journal: '' });
    },
    list: async (page: number) =>
      (await index.answer((reads) => reads.neighbors(reads.facts.words!.id, page))).value,
    nearest: async (page: number) =>
      (
        await index.answer(async (reads) => {
          const { id: relationId } = reads.facts.words!;
          const bag = await reads.bag(relationId, page);
          const how = { by: 'nearness', isRated: true, filter: null, exact: true } as const;
          return reads.nearest({ ...how, relationId, bag, skip: page, count });
        })
      ).value,
  };
}

const CASES = [
  { limit: LIMIT, files: [[target], shards] },
  { limit: FEW, files: [[short.target]] },
];
for (const { limit, files } of CASES) {
  test(`after any writes each list of ${limit} has the nearest pages by BM25, those that wait among them`, async () => {
    const servers = await Promise.all(files.map((paths) => live(paths, limit)));
    const current = new Map(STORED.map((text, page) => [page, text]));
    /** Page ids: those of the index by URL, then as they came. */
    const ids = [...STORED.keys()];
    for (const [sequence, [page, text]] of WRITES.entries()) {
      const record = text === null ? { url: urlOf(page), status: 410 } : { url: urlOf(page), text };
      for (const server of servers) await server.write(sequence + 1, record);
      if (!ids.includes(page)) ids.push(page);
      if (text === null) current.delete(page);
      else current.set(page, text);
      if (sequence % 15 !== 14 && sequence < WRITES.length - 1) continue;
      const there = ids.flatMap((page, id) => (current.has(page) ? [{ page, id }] : []));
      const near = slowBm25(
        there.map(({ page }) => current.get(page)!),
        STORED,
      );
      for (const [row, { id, page }] of there.entries()) {
        // In part, another one each time.
        if ((row + sequence) % 3 > 0) continue;
        const expected = there
          .map((other, i) => [other.id, near[row]![i]!] as const)
          .filter(([other, nearness]) => other !== id && nearness > 0)
          .sort((a, b) => b[1] - a[1] || a[0] - b[0])
          .slice(0, limit);
        for (const server of servers) {
          assert.equal(await server.read(urlOf(page)), id);
          const list = await server.list(id);
          const listed = Array.from(list.ids, (other, i) => [other, list.nearness![i]!] as const);
          const where = `page ${page} after ${sequence + 1} writes`;
          assert.deepEqual(
            listed.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]),
            expected,
            where,
          );
          const found = await server.nearest(id);
          assert.deepEqual(
            Array.from(found.ids, (other, i) => [other, found.nearness![i]!]),
            expected,
            where,
          );
        }
      }
    }
  });
}

longTest(
  'lists with pages that wait are those of an index of all, but for what words on more pages weigh',
  async () => {
    const limits = { maxPending: 1000, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9 };
    const app = await fixtureApp(target, { live: { ...limits, run: async () => false } });
    const ask = asker(app);
    for (const [i, text] of TEXTS.slice(60).entries()) {
      const answer = await app.inject({
        method: 'PUT',
        url: pathOf('/pages', { url: urlOf(60 + i) }),
        payload: { text },
      });
      assert.ok(answer.statusCode < 300, answer.body);
    }
    const whole = asker(await fixtureApp((await indexes.build('whole', records(TEXTS), BM25)).target));
    const urlsOf = (body: Body): string[] => body.related.map(({ url }: Body) => url);
    let [common, all, firsts] = [0, 0, 0];
    for (const page of TEXTS.keys()) {
      const question = { url: urlOf(page), limit: LIMIT };
      const [waiting, built] = [await ask('/related', question), await whole('/related', question)];
      const [here, there] = [urlsOf(waiting.body), urlsOf(built.body)];
      assert.equal(here.length, there.length);
      common += here.filter((url) => there.includes(url)).length;
      all += here.length;
      if (there.slice(0, 3).includes(here[0]!)) firsts++;
      if (page < 60 || page % 5 > 0) continue;
      const payload = { url: urlOf(page), text: TEXTS[page]! };
      const sent = (await app.inject({ method: 'POST', url: `/similar?limit=${LIMIT}`, payload })).json();
      assert.deepEqual(urlsOf(sent), here, 'a document that is sent has the list of the page');
    }
    assert.ok(common > 0.9 * all, `${common} of ${all} are in both`);
    assert.ok(firsts > 0.95 * TEXTS.length, `${firsts} of ${TEXTS.length} begin alike`);
  },
);
