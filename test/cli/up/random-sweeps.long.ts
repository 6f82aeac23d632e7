/** Random sweeps of a crawl that a server takes, with room for their pages or without, and folds in by one or several. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../../src/lib/random.ts';
import { checkIndex } from '../../../src/store/check/check.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { prose } from '../../indexer/pages.ts';
import { BUILD, changingSite, drawnStates, knownStates, pageAt, run, type State } from '../changing-site.ts';
import { up } from './up-server.ts';

const INDEX = 'web.akin';
const ROOMS = [0, 3, 100];

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
  test(`what a server shows of a site behind its sweeps is what the site is (${seed})`, async (t) => {
    const { folder, crawl, sweep, urlOf } = await changingSite(t, INDEX);
    const target = join(folder, INDEX);
    const random = new Random(seed);
    let states: readonly State[] = Array.from({ length: 20 }, (_, i) => ({ text: prose(i, 30) }));
    let known = states;
    await sweep(states);
    await run('index', crawl, '--to', target, ...BUILD);
    const story: string[] = [];
    /** Whether all that was found since the last fold had room. */
    let isSeen = true;
    for (let count = 2; count <= 7; count++) {
      states = drawnStates(random, states);
      known = knownStates(known, states);
      await sweep(states);
      const isFolded = count === 7 || random.below(2) === 0;
      const room = ROOMS[random.below(ROOMS.length)]!;
      story.push(`${isFolded ? 'fold' : 'wait'} ${room}`);
      isSeen = isFolded || (isSeen && room === 100);
      const { ask, untilFolded, close } = await up(t, folder, isFolded ? 1e-6 : 9, room);
      if (isFolded) await untilFolded();
      for (const i of isSeen ? known.keys() : []) {
        const page = await ask('/page', urlOf(i));
        const isShown = page?.url === urlOf(i) && !page.gone && page.fetched;
        assert.equal(isShown, pageAt(known, i) === i, `${story} ${i}`);
      }
      await close();
      if (!isFolded) continue;
      const reader = IndexReader.open(target);
      for (const i of known.keys()) {
        const led = reader.alias(urlOf(i))?.pageId ?? reader.findPage(urlOf(i));
        const found = led >= 0 && !reader.isGone(led) ? reader.page(led).url : null;
        const expected = pageAt(known, i);
        assert.equal(found, expected === null ? null : urlOf(expected), `${story} ${i}`);
      }
      reader.close();
    }
    assert.deepEqual(checkIndex(target).faults, []);
  });
}
