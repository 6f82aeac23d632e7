/** Random histories, each of a host of its own: what URLs say in four sweeps, in any order and at any time. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { build, input, temporaryFolder } from './build.ts';
import { document, prose, type TestPage } from './pages.ts';
import { addSweeps, buildSweeps, differingTables } from './sweeps.ts';

const HISTORIES = 400;
const NAMES = ['a', 'b', 'c'] as const;

/** Of what day an answer is. */
type Day = (random: Random, sweep: number) => number;
const DAYS: Readonly<Record<string, Day>> = {
  'one answer of a URL in each sweep': (_, sweep) => 10 * sweep,
  'several answers of a URL in one sweep': (random, sweep) => 10 * sweep + random.below(2),
  'one answer of any time in each sweep': (random) => 10 * random.below(4),
};

/** A third of the hosts has its last URL on another site. */
const urlOf = (history: number, name: string) =>
  `https://${name === 'c' && history % 3 === 0 ? 'g' : 'h'}${history}.example/${name}`;

function answer(random: Random, history: number, sweep: number, day: number): TestPage {
  const name = NAMES[random.below(3)]!;
  const to = NAMES[random.below(3)]!;
  const url = urlOf(history, name);
  const kind = random.below(14);
  if (kind < 2 && to !== name) return { url, day, status: 301, location: urlOf(history, to) };
  if (kind < 4) return { url, day, status: 404 };
  if (kind < 5) return { url, day, status: 304 };
  const head =
    kind < 7
      ? '<meta name="robots" content="noindex">'
      : kind < 10 && to !== name
        ? `<link rel="canonical" href="${urlOf(history, to)}">`
        : '';
  const seed = random.below(1 << 20);
  const text = kind === 13 ? 'as ever' : `${prose(seed, 20 + (seed % 9), history)}`;
  const link = `<a href="${urlOf(history, NAMES[seed % 3]!)}">on</a>`;
  return { url, day, html: document(`${name}${sweep} ${seed}`, `<p>${text} ${link}</p>`, head) };
}

function randomSweeps(seed: number, dayOf: Day, isOnce: boolean): TestPage[][] {
  const random = new Random(seed);
  return [0, 1, 2, 3].map((sweep) => {
    const pages: TestPage[] = [
      { url: 'https://all.example/', html: document('all', `<p>${prose(1)}</p>`), day: 10 * sweep },
    ];
    for (let history = 0; history < HISTORIES; history++) {
      const met = new Set<string>();
      for (let count = random.below(4); count > 0; count--) {
        const page = answer(random, history, sweep + 1, dayOf(random, sweep));
        if (isOnce && met.has(page.url)) continue;
        met.add(page.url);
        pages.push(page);
      }
    }
    return pages;
  });
}

/**
 * What is shown of each URL, but for past captures that named another one: of these one a sweep is kept where they led when
 * an index was made, which another build does not know.
 */
function shownIn(target: string): string[] {
  const reader = IndexReader.open(target);
  try {
    const shown: string[] = [];
    for (const page of reader.pages()) {
      const { id, url, title, inLinkCount, outLinkCount } = page;
      const isGone = reader.isGone(id);
      const own = isGone ? [] : [page.lang, page.wordCount];
      const named = new Set(
        [...reader.input.captures(id, id + 1)]
          .filter(({ ownUrl }) => ownUrl !== null)
          .map((one) => one.sweepId),
      );
      const captures = reader
        .captures(id)
        .filter(({ sweepId }) => !named.has(sweepId))
        .map(({ sweepId, versionId }) => `${sweepId}: ${reader.versions.text(versionId!)!.title}`);
      // It is gone, and has nothing but what is left out here.
      if (isGone && captures.length === 0) continue;
      shown.push(
        JSON.stringify([url, isGone ? '' : title, isGone, own, inLinkCount, outLinkCount, captures]),
      );
      for (const alias of reader.aliases(id)) shown.push(JSON.stringify([alias, url]));
    }
    for (const { url, kind, sweepId } of reader.input.others(0, reader.input.otherCount))
      shown.push(JSON.stringify([url, kind, sweepId]));
    return shown;
  } finally {
    reader.close();
  }
}

for (const [name, dayOf] of Object.entries(DAYS)) {
  for (const seed of [1, 2, 3]) {
    test(`an index that was added to or read again is that of one build: ${name} (${seed})`, async (t) => {
      const sweeps = randomSweeps(seed, dayOf, !name.startsWith('several'));
      const once = await buildSweeps(t, sweeps);
      const again = await build(t, {
        inputs: [input(once.target)],
        target: join(temporaryFolder(t), 'again.akin'),
      });
      assert.deepEqual(differingTables(again.target, once.target), []);
      const { target } = await addSweeps(t, sweeps);
      assert.deepEqual(shownIn(target), shownIn(once.target));
    });
  }
}
