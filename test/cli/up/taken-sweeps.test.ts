/** What a crawl finds is seen when it ends, and folded in with its archives: once, also where the process dies between. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { crawlTo, links, pages, serve } from '../../crawl/loopback.ts';
import { build, input, temporaryFolder } from '../../indexer/build.ts';
import { longTest } from '../../long-test.ts';
import { GARDEN_PAGES } from '../garden.ts';
import { up } from './up-server.ts';

const HOME = 'http://garden.example/';
const pageUrl = (i: number) => `${HOME}${i}`;

async function site(t: TestContext) {
  const shown: Record<string, Parameters<typeof pages>[0][string]> = {};
  const link = () => links(...Object.keys(shown).filter((url) => url !== HOME));
  for (const [i, { title, text }] of GARDEN_PAGES.entries()) {
    shown[pageUrl(i)] = `<title>${title}</title><p>${text}</p>`;
  }
  shown[HOME] = `<title>Home</title>${link()}`;
  const web = await serve(t, pages(shown));
  const folder = temporaryFolder(t);
  const crawl = (mode: 'new' | 'recrawl') =>
    crawlTo({
      folder: join(folder, 'crawl'),
      resolve: web.resolve,
      mode,
      seeds: mode === 'new' ? [HOME] : [],
    });
  await crawl('new');
  const target = join(folder, 'web.akin');
  const archives = readdirSync(join(folder, 'crawl')).filter((name) => name.endsWith('.warc.gz'));
  const inputs = archives.map((name) => input(join(folder, 'crawl', name)));
  (await build(t, { inputs, target, sweepName: 'sweep-1', minPageCount: 1, maxPageShare: 1 })).reader.close();
  return { shown, link, crawl, folder, target };
}

test('a sweep is seen when it ends, and folded in with its archives', async (t) => {
  const { shown, link, crawl, folder, target } = await site(t);
  const first = await up(t, folder);
  assert.equal(first.cycle.archives(), null, 'the index has the first sweep');
  await first.close();

  const roses = GARDEN_PAGES[0]!.text;
  shown[`${HOME}new`] = `<title>Roses in pots</title><p>${roses} In pots.</p>`;
  shown[pageUrl(1)] = `<title>Changed</title><p>${roses} Again.</p>`;
  shown[pageUrl(3)] = (response) => response.writeHead(301, { location: pageUrl(4) }).end();
  delete shown[pageUrl(2)];
  shown[HOME] = `<title>Home</title>${link()}`;
  await crawl('recrawl');

  let { ask, cycle, folded, untilFolded, close, app } = await up(t, folder);
  const requireSeen = async () => {
    const { related } = await ask('/related', pageUrl(0));
    const urls = related.map(({ url }: { url: string }) => url);
    assert.ok(urls.includes(`${HOME}new`) && urls.includes(pageUrl(1)), urls);
    assert.ok(!urls.includes(pageUrl(2)) && !urls.includes(pageUrl(3)), urls);
    assert.equal((await ask('/page', pageUrl(1))).title, 'Changed');
  };
  await requireSeen();
  const refused = await app.inject({ method: 'PUT', url: `/pages?url=${HOME}x`, payload: { text: 'a' } });
  assert.equal(refused.json().code, 'pages-off');
  const waiting = cycle.archives()!;
  assert.deepEqual(
    [waiting.name, waiting.sweeps.map(({ paths }) => paths.map((path) => path.split('/').at(-1)))],
    ['sweep-2', [['sweep-0002-00001.warc.gz']]],
  );
  const { sequence } = app.pageDoor!;
  await close();

  // Begun again, as behind a kill: nothing is handed over twice, and what waits is seen.
  ({ ask, cycle, folded, close, app } = await up(t, folder));
  assert.equal(app.pageDoor!.sequence, sequence);
  await requireSeen();
  await close();

  ({ ask, cycle, folded, untilFolded, close, app } = await up(t, folder, 0.01));
  await untilFolded();
  assert.match(folded[0]!.sweep, /^sweep-2-live-[0-9a-f]{16}-\d+$/);
  assert.equal(folded[0]!.inputs.length, 2, 'what was handed over, and behind it the archive');
  await requireSeen();
  await close();
  const reader = IndexReader.open(target);
  assert.equal(reader.sweeps().length, 2);
  assert.equal(reader.page(reader.alias(pageUrl(3))!.pageId).url, pageUrl(4), 'where it has gone');
  assert.ok(reader.isGone(reader.findPage(pageUrl(2))));
  reader.close();

  // Nothing is new: no further sweep waits.
  await crawl('recrawl');
  ({ cycle, close, app, folded } = await up(t, folder, 0.01));
  assert.deepEqual([cycle.archives(), folded.length], [null, 0]);
  await close();
});

longTest(
  'a page that is the copy of another one, then of a third, and then gone, is taken in as such',
  async (t) => {
    const { shown, crawl, folder, target } = await site(t);
    for (const original of [pageUrl(3), pageUrl(4), null]) {
      if (original === null) delete shown[pageUrl(1)];
      else shown[pageUrl(1)] = shown[original]!;
      // Twice: what is known is taken in once.
      for (const sweep of [1, 2]) {
        await crawl('recrawl');
        const { untilFolded, close, folded } = await up(t, folder, 0.01);
        await untilFolded();
        await close();
        assert.equal(folded.length, sweep === 1 ? 1 : 0, `${original}`);
      }
      const reader = IndexReader.open(target);
      const led = reader.alias(pageUrl(1));
      assert.equal(led && reader.page(led.pageId).url, original);
      reader.close();
    }
  },
);

for (const rooms of [
  [100, 100],
  [100, 0],
  [0, 100],
  [0, 0],
]) {
  const declare = rooms[0] === 100 && rooms[1] === 0 ? test : longTest;
  declare(
    `sweeps that wait together are sweeps of their own in the index, with room for ${rooms} pages`,
    async (t) => {
      const { shown, link, crawl, folder, target } = await site(t);
      const changed = (i: number, text: string) => {
        shown[pageUrl(i)] = `<title>Changed</title><p>${GARDEN_PAGES[i]!.text} ${text}</p>`;
      };
      const moved: (typeof shown)[string] = (response) =>
        response.writeHead(301, { location: pageUrl(4) }).end();
      const sweeps = [
        () => [changed(1, 'once'), changed(2, 'soon'), (shown[pageUrl(3)] = moved)],
        () => [
          changed(1, 'twice'),
          (shown[pageUrl(2)] = moved),
          (shown[pageUrl(3)] = (response) => response.writeHead(403).end()),
        ],
      ];
      for (const [i, change] of sweeps.entries()) {
        change();
        shown[HOME] = `<title>Home</title>${link()} ${i}`;
        await crawl('recrawl');
        const { close, cycle } = await up(t, folder, 2, rooms[i]);
        assert.equal(cycle.archives()!.name, `sweep-${i + 2}`);
        await close();
      }
      const { untilFolded, close } = await up(t, folder, 0.01);
      await untilFolded();
      await close();
      const reader = IndexReader.open(target);
      t.after(() => reader.close());
      assert.deepEqual(
        reader.sweeps().map(({ name }) => name.replace(/-live-.*/, '')),
        ['sweep-1', 'sweep-2', 'sweep-3'],
      );
      assert.equal(reader.captures(reader.findPage(pageUrl(1))).length, 3);
      for (const i of [2, 3]) assert.equal(reader.page(reader.alias(pageUrl(i))!.pageId).url, pageUrl(4));
    },
  );
}
