/** The clusters of whole builds: levels nest, and topics are connected as the glossary says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BuildOptions } from '../../src/indexer/build-options.ts';
import { checkIndex } from '../../src/store/check.ts';
import type { IndexReader } from '../../src/store/reader.ts';
import { countPieces } from '../cluster/pieces.ts';
import { buildPages } from './build.ts';
import { villagePages } from './pages.ts';

/** Fewer nearest pages than a tight cluster has members, so that its center is no neighbour of each. */
const FEW: Partial<BuildOptions> = { neighbourLimit: 3 };

/** The cluster of each page, fine to broad. */
function levelsOf(reader: IndexReader): Int32Array[] {
  const levelCount = reader.clusters.ofPage(1, 0).length;
  return Array.from({ length: levelCount }, (_, level) =>
    reader.clusters.idsOfPages(1, level, reader.pageCount),
  );
}

/** Stored neighbours, whichever page has the other, and where asked for the pairs of members and tight centers. */
function edgesOf(reader: IndexReader, withCenters: boolean): (page: number) => Set<number> {
  const edges = Array.from({ length: reader.pageCount }, () => new Set<number>());
  const join = (a: number, b: number) => {
    edges[a]!.add(b);
    edges[b]!.add(a);
  };
  for (const { pageId, list } of reader.allNeighbours(1)) for (const id of list.ids) join(pageId, id);
  for (let page = 0; withCenters && page < reader.pageCount; page++) {
    join(page, reader.clusters.ofPage(1, page)[0]!.centerId);
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

test('topics over lists of neighbours are connected, nest and grow broader', async (t) => {
  const { reader } = await buildPages(t, villagePages(30), FEW);
  const [tight, fine, , broad] = expectSound(reader);
  assert.ok(countOf(tight!) > countOf(fine!) && countOf(fine!) > countOf(broad!));
});

test('topics over clusters of a join are connected through their centers, and only so', async (t) => {
  const { reader, target } = await buildPages(t, villagePages(30), {
    ...FEW,
    neighbourLimit: 1,
    pairSimilarity: 0.2,
  });
  const [, fine] = expectSound(reader);
  assert.ok(countPieces(fine!, edgesOf(reader, false)) > countOf(fine!));
  assert.deepEqual(checkIndex(target).faults, []);
});
