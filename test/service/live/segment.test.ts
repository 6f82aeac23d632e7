/** Pages that wait, in the lists of a file: as a comparison of each with each has them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Random } from '../../../src/lib/random.ts';
import { knownPages } from '../../../src/service/live/known-pages.ts';
import { liveIndex } from '../../../src/service/reads/live/live-index.ts';
import type { Reads } from '../../../src/service/reads/reads.ts';
import { openIndex } from '../../../src/service/reads/shards/open-shards.ts';
import { fixtureIndex } from '../fixture-app.ts';
import {
  BAKERY,
  buildFixture,
  fixturePages,
  GARDEN,
  NEIGHBOR_LIMIT,
  temporaryFolder,
} from '../fixture-index.ts';
import { listed, slowList } from './slow-list.ts';

type Line = Readonly<Record<string, unknown>>;

const indexPath = await fixtureIndex();

async function segmentOf(preload: boolean, path = indexPath) {
  const index = liveIndex(await openIndex([path], { preload }));
  after(() => index.close());
  let sequence = 0;
  const write = async (...lines: Line[]) => {
    const { value } = await index.answer((reads) =>
      knownPages(reads, index.local, lines.map((line) => JSON.stringify(line)).join('\n')),
    );
    const pages = value.map(({ pending }) => pending);
    index.segment.apply({ pages, sequence: ++sequence, beyond: 0, journal: '' });
  };
  const read = async <Value>(make: (reads: Reads) => Promise<Value>) => (await index.answer(make)).value;
  return { index, write, read };
}

const originals = fixturePages();
const textOf = (random: Random): string => {
  const [one, other] = [originals[random.below(44)]!, originals[random.below(44)]!];
  const half = (html: string) => html.replace(/<[^>]*>/g, ' ').slice(0, 100 + random.below(400));
  return `${half(one.html)} ${half(other.html)}`;
};

test('after any writes each list has the nearest pages, those that wait among them', async () => {
  const held = await segmentOf(true);
  const plain = await segmentOf(false);
  const random = new Random(3);
  for (let round = 0; round < 12; round++) {
    const lines = Array.from({ length: 6 }, (): Line => {
      const url =
        random.below(2) === 0 ? `https://new.example/${random.below(20)}` : originals[random.below(46)]!.url;
      if (random.below(3) === 0) return { url, status: 410 };
      return { url, title: `state ${round}`, text: textOf(random) };
    });
    await held.write(...lines);
    await plain.write(...lines);
    if (round % 4 !== 3) continue;
    const ofPlain = await plain.read(async (reads) => {
      return Promise.all(Array.from({ length: reads.facts.pageCount }, (_, page) => listed(reads, page)));
    });
    await held.read(async (reads) => {
      for (let page = 0; page < reads.facts.pageCount; page++) {
        const some = await listed(reads, page, 3);
        const all = await listed(reads, page);
        if (await reads.isGone(page)) {
          assert.deepEqual(all, []);
          continue;
        }
        assert.deepEqual(
          [...all].sort(),
          (await slowList(reads, page)).sort(),
          `round ${round}, page ${page}`,
        );
        assert.deepEqual(all.slice(0, 3), some.slice(0, 3), 'a part of a list is its beginning');
        assert.deepEqual(ofPlain[page], all, 'in one order wherever it is made');
        const bag = await reads.bag(reads.facts.words!.id, page);
        const how = { by: 'nearness', isRated: true, filter: null, exact: true } as const;
        const query = { ...how, relationId: reads.facts.words!.id, bag, skip: page };
        const { ids } = await reads.nearest({ ...query, count: NEIGHBOR_LIMIT });
        assert.deepEqual(
          Array.from(ids),
          (await slowList(reads, page)).map((entry) => Number(entry.split(' ')[0])),
        );
      }
    });
  }
});

test('of many that wait and are alike each list has the nearest, also when those go', async (t) => {
  // Lists of roses have room left, those of bread have none.
  const few = [...originals.slice(0, 4), ...originals.filter((page) => page.url.startsWith(BAKERY))];
  const path = join(temporaryFolder(t), 'few.akin');
  await buildFixture(path, few);
  const { write, read, index } = await segmentOf(true, path);
  const random = new Random(8);
  const [rose] = originals;
  const words = rose!.html.replace(/<[^>]*>/g, ' ').split(/\s+/);
  const url = (i: number) => `https://many.example/${i}`;
  // Some are equal: of these the ones of the smaller ids stand first.
  const alike = () => words.slice(0, 20 + random.below(30)).join(' ');
  const states: readonly Line[][] = [
    Array.from({ length: 90 }, (_, i) => ({ url: url(i), text: alike() })),
    Array.from({ length: 30 }, (_, i) => ({ url: url(3 * i), status: 410 })),
    [...Array(40).keys()].map((i) => ({
      url: i % 2 === 0 ? url(i) : few[i % few.length]!.url,
      text: alike(),
    })),
    // Of most lists fewer are left than they show, though others wait that are as near.
    Array.from({ length: 90 }, (_, i) => i)
      .filter((i) => i % 6 !== 1)
      .map((i) => ({ url: url(i), status: 410 })),
  ];
  let boundCount = 0;
  for (const [state, lines] of states.entries()) {
    for (const line of lines) await write(line);
    await read(async (reads) => {
      for (let page = 0; page < reads.facts.pageCount; page++) {
        if (await reads.isGone(page)) continue;
        const list = (await listed(reads, page)).sort();
        assert.deepEqual(list, (await slowList(reads, page)).sort(), `state ${state}, page ${page}`);
        if (index.segment.added!.boundOf(page) !== undefined) boundCount++;
      }
    });
  }
  assert.ok(boundCount > 50, 'more are near than lists keep');
});

test('a page that waits has what a build would make of it', async () => {
  const { write, read, index } = await segmentOf(false);
  const { words } = index.facts;
  const [garden] = originals;
  // The same text, word by word.
  await write(
    { url: `${GARDEN}0`, html: garden!.html },
    { url: 'https://copy.example/', html: garden!.html },
  );
  await read(async (reads) => {
    const [old, copy] = [await reads.find(`${GARDEN}0`), await reads.find('https://copy.example/')];
    const before = index.file!.reader;
    const page = before.findPage(`${GARDEN}0`);
    assert.deepEqual([old.pageId, copy.pageId], [page, before.pageCount]);
    assert.deepEqual(await reads.bag(words!.id, page), before.bag(words!.id, page));
    const { wordCount, title, lang } = before.page(page);
    assert.deepEqual((({ wordCount, title, lang }) => ({ wordCount, title, lang }))(await reads.page(page)), {
      wordCount,
      title,
      lang,
    });
    const { id: _, ...version } = before.versions.get(before.versions.current(page));
    const { id: own, ...waiting } = (await reads.currentText(page))!;
    assert.deepEqual(waiting, version);
    assert.ok(own >= before.versions.count);
    assert.deepEqual(await reads.versionText(own), before.versions.text(before.versions.current(page)));
    assert.deepEqual((await reads.currentPages(before.versions.current(page), 5)).pageIds, []);
    const near = await reads.withShingle(version.sketch.keys);
    assert.ok(near.versionIds.includes(own) && near.versionIds.includes(own + 1));
    const sweeps = (await reads.captures(page)).map(({ sweep }) => sweep);
    assert.deepEqual(sweeps, ['test', 'live']);
    assert.equal((await reads.heads([copy.pageId, page]))[0]!.url, 'https://copy.example/');
  });
});

test('what waits is found by its URL, its site and its neighbors in the order of URLs; what is gone is not', async () => {
  const { write, read } = await segmentOf(true);
  await write(
    { url: `${BAKERY}new`, text: 'bread dough yeast', lang: 'en' },
    { url: 'https://other.example/a', text: 'flour', lang: 'de', fields: { kind: ['a', 'b'] } },
    { url: `${BAKERY}3`, status: 410 },
    { url: 'https://gone.example/', text: 'flour' },
    { url: 'https://gone.example/', status: 410 },
    { url: 'https://hidden.example/', html: '<meta name=robots content=noindex><p>dough' },
  );
  await read(async (reads) => {
    const near = (await reads.nearestUrls(`${BAKERY}ne`, 2)).map(({ url }) => url);
    assert.equal(near[0], `${BAKERY}new`);
    assert.ok(!(await reads.nearestUrls(`${BAKERY}3`, 9)).some(({ url }) => url === `${BAKERY}3`));
    assert.equal(await reads.idOf('https://gone.example/'), -1);
    assert.equal(await reads.idOf('https://hidden.example/'), -1);
    assert.equal((await reads.otherAnswer('https://gone.example/'))!.sweepId, reads.facts.sweeps.at(-1)!.id);
    assert.equal(await reads.lostIn(await reads.idOf(`${BAKERY}3`)), reads.facts.sweeps.at(-1)!.id);
    const sites = new Map((await reads.siteCounts()).map(({ site, pageCount }) => [site, pageCount]));
    assert.deepEqual([sites.get('other.example'), sites.get('bakery.example')], [1, 12]);
    assert.equal(sites.has('gone.example'), false);
    const pages = await reads.sitePages('bakery.example', 0, 20);
    assert.equal(pages.length, 12);
    assert.ok(pages.includes(await reads.idOf(`${BAKERY}new`)));
    const accepting = reads.accepting({ lang: 'de' });
    const ids = [await reads.idOf('https://other.example/a'), await reads.idOf(`${BAKERY}new`), 0];
    assert.equal((await accepting(ids))[0], true);
    assert.deepEqual((await accepting(ids)).slice(1), [false, false]);
    assert.deepEqual(await reads.pageFields(ids[0]!), { kind: ['a', 'b'] });
    assert.ok((await reads.siteId('other.example')) > 0);
  });
});

test('what is kept of a state is not listed in the next one, though that is known up to the same number', async () => {
  const { index, read } = await segmentOf(true);
  const { html } = originals.find(({ url }) => url === `${GARDEN}0`)!;
  const listedOf = async () => {
    const pageId = await read((reads) => reads.idOf(`${GARDEN}0`) as Promise<number>);
    return read(async (reads) => Array.from((await reads.neighbors(1, pageId)).ids));
  };
  for (const beyond of [1, 2]) {
    const line = JSON.stringify({ url: `https://new.example/${beyond}`, html });
    const [known] = await read((reads) => knownPages(reads, index.local, line));
    index.segment.apply({ pages: [known!.pending], sequence: 0, beyond, journal: '' });
    assert.ok((await listedOf()).includes(index.segment.find(`https://new.example/${beyond}`)!.id));
  }
});
