/** Three sweeps of a small web: some pages stay, some change, come, go, move or are copied. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildReport } from '../../src/indexer/build-report.ts';
import { changeShards } from '../../src/indexer/change-shards.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { withoutUrls } from '../../src/indexer/options/without-urls.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { isFolder } from '../../src/store/read/shard-files.ts';
import { builtOnce } from '../built-once.ts';
import { slowNearness, slowVotes } from '../slow-votes.ts';
import { proveStore } from '../store/open-store.ts';
import { type Built, buildInputs, input, noting, temporaryFolder } from './build.ts';
import { document, prose, type TestPage, toJsonl, villagePages } from './pages.ts';

type Forgotten = ReturnType<typeof withoutUrls>['forgotten'];

export const COPY_URL = 'https://copies.example/copy.html';
export const MOVED_URL = 'https://village0.example/p1.html';
export const GONE_URL = 'https://village1.example/p2.html';
export const HIDDEN_URL = 'https://village2.example/p3.html';
export const NEW_URL = 'https://aaa.example/first.html';

const day = (pages: readonly TestPage[], count: number) => pages.map((page) => ({ ...page, day: count }));

/** 20 pages. */
export function firstSweep(): TestPage[] {
  return day(villagePages(5), 0);
}

/** Two pages with another text, a new one whose URL comes before all, and a copy of an old one; the rest as before. */
export function secondSweep(): TestPage[] {
  const pages = firstSweep().map((page, i) =>
    i === 4 || i === 12 ? { ...page, html: document(`again ${i}`, `<p>${prose(70 + i, 120, i)}</p>`) } : page,
  );
  const added = [
    {
      url: NEW_URL,
      html: document('first of all', `<p>${prose(5, 90, 1)} <a href="${GONE_URL}">bread</a></p>`),
    },
    { url: COPY_URL, html: pages[7]!.html! },
  ];
  return day([...pages, ...added], 30);
}

/** One page is gone, one moved to a new URL, one asks not to be indexed, and half of the others are not met at all. */
export function thirdSweep(): TestPage[] {
  const before = secondSweep();
  const moved = before.find(({ url }) => url === MOVED_URL)!;
  const others = before.filter(
    ({ url }, i) => ![MOVED_URL, GONE_URL, HIDDEN_URL].includes(url) && i % 2 === 0,
  );
  return day(
    [
      ...others,
      { url: MOVED_URL, status: 301, location: 'https://village0.example/moved.html' },
      { url: 'https://village0.example/moved.html', html: moved.html! },
      { url: GONE_URL, status: 404 },
      {
        url: HIDDEN_URL,
        html: document('hidden', `<p>${prose(9)}</p>`, '<meta name="robots" content="noindex">'),
      },
    ],
    60,
  );
}

export async function add(
  t: TestContext,
  target: string,
  pages: readonly TestPage[],
  options: Partial<BuildOptions> = {},
): Promise<BuildReport> {
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(pages));
  return buildIndex(
    additionTo({
      target,
      inputs: [input(path)],
      sweepName: '',
      memoryBytes: 64 << 20,
      workerCount: 1,
      ...options,
    }),
    noting().listener,
  );
}

export async function forget(
  target: string,
  ...urls: string[]
): Promise<BuildReport & { forgotten: Forgotten }> {
  const { options, forgotten } = withoutUrls({ target, memoryBytes: 64 << 20, workerCount: 1 }, urls);
  const change = isFolder(target) ? changeShards : buildIndex;
  return { ...(await change(options, noting().listener)), forgotten };
}

/** A build of several sweeps at once, named `sweep-1`, `sweep-2` and so on; as `buildPages`. */
export function buildSweeps(
  t: TestContext,
  sweeps: readonly (readonly TestPage[])[],
  options: Partial<BuildOptions> = {},
): Promise<Built> {
  const texts = sweeps.map((pages, i) => [`sweep-${i + 1}.jsonl`, toJsonl(pages)]);
  return buildInputs(t, Object.fromEntries(texts), options, true);
}

/**
 * The index that sweeps give when the first is built, as `buildSweeps` names it, and the others are added, and what each
 * addition said; the same sweeps under the same options are added once a process.
 */
export async function addSweeps(
  t: TestContext,
  sweeps: readonly (readonly TestPage[])[],
  options: Partial<BuildOptions> = {},
): Promise<{ target: string; reports: BuildReport[] }> {
  if (sweeps.length === 1) {
    const { target, reader } = await buildSweeps(t, sweeps, options);
    reader.close();
    return { target, reports: [] };
  }
  const target = join(temporaryFolder(t), 'added.akin');
  const reports = await builtOnce(['added', sweeps, options], target, async (once) => {
    const former = await addSweeps(t, sweeps.slice(0, -1), options);
    copyFileSync(former.target, once);
    return [...former.reports, await add(t, once, sweeps.at(-1)!, options)];
  });
  return { target, reports };
}

/** Names of the tables in which two indexes differ; times are left out. */
export function differingTables(one: string, other: string): string[] {
  const digestsOf = (path: string) => {
    const db = new Database(path, { readonly: true });
    const rows = db.prepare('SELECT name, hex(sum) FROM table_digest ORDER BY name').raw().all();
    db.close();
    return new Map(rows as [string, string][]);
  };
  const digests = digestsOf(other);
  return [...digestsOf(one)].filter(([name, digest]) => digests.get(name) !== digest).map(([name]) => name);
}

/** Declares the test that an index to which sweeps were added is that of one build of them all. */
export function testAddition(options: Partial<BuildOptions>): void {
  const name = Object.entries(options).map(([key, value]) => ` ${key}=${value}`);
  test(`sweeps added one by one give the index of one build of all:${name}`, async (t) => {
    const sweeps = [firstSweep(), secondSweep(), thirdSweep()];
    const { target } = await buildSweeps(t, sweeps.slice(0, 1), options);
    for (const sweep of sweeps.slice(1)) await add(t, target, sweep);
    const whole = await buildSweeps(t, sweeps, options);
    assert.deepEqual(differingTables(target, whole.target), []);
  });
}

/** Fails unless every invariant holds and every topic list is what all bags, compared one by one, give. */
export function assertWhole(target: string): void {
  proveStore(target);
  const reader = IndexReader.open(target);
  try {
    const { neighborLimit, floor } = reader.relation('topic')!;
    const bags = Array.from(reader.allBags(1), ({ bag }) => bag);
    const lists = bags.map((bag, page) =>
      bags
        .map((other, id) => ({ id, ...slowNearness(bag, other) }))
        .filter(({ id }) => id !== page)
        .filter(({ similarity }) => similarity > 0 && similarity >= floor)
        .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
        .slice(0, neighborLimit),
    );
    for (const [page, list] of lists.entries()) {
      const { ids, shared, total } = reader.neighbors(1, page);
      assert.deepEqual(
        Array.from(ids, (id, i) => ({ id, similarity: shared[i]! / total[i]! })),
        slowVotes(list, page, (id) => lists[id]!).map(({ id, similarity }) => ({ id, similarity })),
        `list of page ${page}`,
      );
    }
  } finally {
    reader.close();
  }
}

/** Pairs of copies by URL, and the clusters of copies by URL, for comparing two indexes. */
export function copiesByUrl(target: string): { pairs: string[]; clusters: string[] } {
  const reader = IndexReader.open(target);
  try {
    const urls = Array.from(reader.pages(), ({ url }) => url);
    const pairs: string[] = [];
    for (const { pageId, list } of reader.allNeighbors(2)) {
      for (const [i, id] of list.ids.entries()) {
        pairs.push(`${urls[pageId]} ${urls[id]} ${list.shared[i]}/${list.total[i]}`);
      }
    }
    const clusters = new Map<string, string[]>();
    for (const [id, url] of urls.entries()) {
      for (const { key } of reader.clusters.ofPage(2, id))
        clusters.set(key, [...(clusters.get(key) ?? []), url]);
    }
    return {
      pairs: pairs.sort(),
      clusters: [...clusters].map(([key, all]) => `${key} ${all.sort().join(' ')}`).sort(),
    };
  } finally {
    reader.close();
  }
}
