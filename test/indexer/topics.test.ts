/** The clusters of whole builds: levels nest, and topics are connected as the glossary says. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { countPieces } from '../cluster/pieces.ts';
import { longTest } from '../long-test.ts';
import { buildPages, temporaryFolder } from './build.ts';
import { villagePages } from './pages.ts';

/** Fewer nearest pages than a tight cluster has members, so that its center is no neighbor of each. */
const FEW: Partial<BuildOptions> = { neighborLimit: 3 };

/** The cluster of each page, fine to broad. */
function levelsOf(reader: IndexReader): Int32Array[] {
  const levelCount = reader.clusters.ofPage(1, 0).length;
  return Array.from({ length: levelCount }, (_, level) =>
    reader.clusters.idsOfPages(1, level, reader.pageCount),
  );
}

/** Stored neighbors, whichever page has the other, and where asked for the pairs of members and tight centers. */
function edgesOf(reader: IndexReader, withCenters: boolean): (page: number) => Set<number> {
  const edges = Array.from({ length: reader.pageCount }, () => new Set<number>());
  const connect = (a: number, b: number) => {
    edges[a]!.add(b);
    edges[b]!.add(a);
  };
  for (const { pageId, list } of reader.allNeighbors(1)) for (const id of list.ids) connect(pageId, id);
  for (let page = 0; withCenters && page < reader.pageCount; page++) {
    connect(page, reader.clusters.ofPage(1, page)[0]!.centerId);
  }
  return (page) => edges[page]!;
}

function expectSound(reader: IndexReader): Int32Array[] {
  const levels = levelsOf(reader);
  assert.equal(levels.length, 4);
  const edges = edgesOf(reader, true);
  for (const [level, clusterOf] of levels.entries()) {
    const clusters = new Set(clusterOf);
    assert.ok(!clusters.has(-1));
    assert.equal(countPieces(clusterOf, edges), clusters.size, `level ${level}`);
    const above = levels[level + 1];
    if (above === undefined) continue;
    const parents = new Map<number, number>();
    for (const [page, cluster] of clusterOf.entries()) {
      const parent = parents.get(cluster) ?? above[page]!;
      assert.equal(
        above[page],
        parent,
        `the parts of cluster ${cluster} lie in several of level ${level + 1}`,
      );
      assert.equal(reader.clusters.byId(cluster)!.parentId, parent);
      parents.set(cluster, parent);
    }
  }
  return levels;
}

const countOf = (clusterOf: Int32Array) => new Set(clusterOf).size;

test('topics over lists of neighbors are connected, nest and grow broader', async (t) => {
  const { reader, report } = await buildPages(t, villagePages(30), FEW);
  const [tight, fine, , broad] = expectSound(reader);
  assert.ok(countOf(tight!) > countOf(fine!) && countOf(fine!) > countOf(broad!));
  // What a build says and what the index says is one figure.
  assert.deepEqual([report.clusterCount, reader.card().clusterCount], [countOf(tight!), countOf(tight!)]);
});

longTest('topics over clusters of a join are connected through their centers, and only so', async (t) => {
  const { reader, target } = await buildPages(t, villagePages(30), {
    ...FEW,
    neighborLimit: 1,
    pairSimilarity: 0.2,
  });
  const [, fine] = expectSound(reader);
  assert.ok(countPieces(fine!, edgesOf(reader, false)) > countOf(fine!));
  assert.deepEqual(checkIndex(target).faults, []);
});

test('a page without a way to the rest of its topic is named, though ways lead around', async (t) => {
  const { reader, target } = await buildPages(t, villagePages(30), FEW);
  const [, fine, , broad] = levelsOf(reader);
  const edges = edgesOf(reader, true);
  const reaches = (page: number, topic: number) => [...edges(page)].some((other) => fine![other] === topic);
  const pages = [...fine!.keys()];
  const [page, near] = pages
    .flatMap((a) => pages.map((b) => [a, b] as const))
    .find(([a, b]) => broad![a] === broad![b] && fine![a] !== fine![b] && !reaches(a, fine![b]!))!;
  const copy = join(temporaryFolder(t), 'copy.akin');
  copyFileSync(target, copy);
  const db = new Database(copy);
  db.prepare('UPDATE member SET cluster_id = ? WHERE cluster_id = ? AND page_id = ?').run(
    fine![near],
    fine![page],
    page,
  );
  db.close();
  const { key } = reader.clusters.byId(fine![near]!)!;
  assert.match(
    checkIndex(copy).faults.join('\n'),
    new RegExp(`topic hierarchy: cluster ${key} is not connected: no path inside it leads`),
  );
});
