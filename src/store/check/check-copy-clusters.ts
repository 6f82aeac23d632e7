import { containedPairs } from '../../join/copies/copy-clusterings.ts';
import { UnionFind } from '../../lib/union-find.ts';
import { joinOptionsOf, type NamedClustering } from '../../relations/copy.ts';
import { tableOf } from '../../sketch/sketch-table.ts';
import { hostOf } from '../../url/site.ts';
import type { Db } from '../database.ts';
import type { IndexReader } from '../reader.ts';
import type { RelationRecord } from '../records.ts';
import { checkMembers } from './check-clusters.ts';
import { type FoldedSketches, figureOf } from './check-copies.ts';
import { copyParametersOf } from './check-versions.ts';

/** What a <key, page> entry takes while it is sorted, and what is sorted at once. */
const BYTES_PER_ENTRY = 36;
const PART_BYTES = 256 << 20;

/** Which pages belong together by the pairs that are known, and whose lists may hide more of them. */
interface Components {
  readonly pages: UnionFind;
  readonly isFull: Uint8Array;
}

/**
 * In every clustering: clusters hold two pages or more and are the components of its pairs: no pair leads out of one,
 * and none falls apart, unless a full neighbour list may hide what holds it together. Pairs of containment are found
 * anew. Figures are those of the measure to the center, which is the page whose URL comes first.
 */
export function checkCopyClusters(
  db: Db,
  reader: IndexReader,
  relation: RelationRecord,
  folded: FoldedSketches,
  faults: string[],
): void {
  checkMembers(db, relation, faults);
  const clusterings = reader.card().copyClusterings;
  const strays = db
    .prepare('SELECT key FROM cluster WHERE relation_id = ? AND level >= ?')
    .pluck()
    .all(relation.id, clusterings.length) as string[];
  for (const key of strays) faults.push(`cluster ${key} belongs to no clustering`);
  for (const [level, clustering] of clusterings.entries()) {
    const clusterOfPage = clustersOf(db, reader, relation, level, clustering, folded, faults);
    const components =
      clustering.measure === 'resemblance'
        ? listedComponents(reader, relation, clustering.threshold)
        : containedComponents(reader, clustering, folded);
    checkComponents(clusterOfPage, components, clustering.name, faults);
  }
}

/** Cluster of each page at a level, -1 for none, its center and figures checked. */
function clustersOf(
  db: Db,
  reader: IndexReader,
  relation: RelationRecord,
  level: number,
  { measure }: NamedClustering,
  folded: FoldedSketches,
  faults: string[],
): Int32Array {
  const clusterOfPage = new Int32Array(reader.pageCount).fill(-1);
  const rows = db
    .prepare(
      `SELECT cluster.id AS cluster, key, center_id AS center, member.page_id AS page, similarity, page.url < head.url AS before
       FROM cluster JOIN member ON cluster_id = cluster.id JOIN page ON page.id = member.page_id
       JOIN page AS head ON head.id = center_id WHERE relation_id = ? AND level = ? ORDER BY cluster.id, member.page_id`,
    )
    .iterate(relation.id, level) as IterableIterator<{
    cluster: number;
    key: string;
    center: number;
    page: number;
    similarity: number;
    before: number;
  }>;
  for (const { cluster, key, center, page, similarity, before } of rows) {
    if (clusterOfPage[page] !== -1) faults.push(`page ${page} is in two clusters`);
    clusterOfPage[page] = cluster;
    if (before === 1) faults.push(`cluster ${key} has a page whose URL comes before that of its center`);
    const { shared, total } =
      page === center ? { shared: 1, total: 1 } : figureOf(folded, page, center, measure);
    if (similarity !== (total === 0 ? 0 : shared / total)) {
      faults.push(
        `page ${page} is stored at ${similarity} to its center, but the sketches give ${shared}/${total}`,
      );
    }
  }
  return clusterOfPage;
}

/** By the neighbour lists, which hold every pair unless they are full. */
function listedComponents(reader: IndexReader, relation: RelationRecord, threshold: number): Components {
  const pages = new UnionFind(reader.pageCount);
  const isFull = new Uint8Array(reader.pageCount);
  for (const { pageId, list } of reader.allNeighbours(relation.id)) {
    let reached = 0;
    for (const [i, other] of list.ids.entries()) {
      if (list.shared[i]! < threshold * list.total[i]!) continue;
      pages.union(pageId, other);
      reached++;
    }
    if (reached >= relation.neighbourLimit) isFull[pageId] = 1;
  }
  return { pages, isFull };
}

/** By a join of its own, as pairs of containment are not stored. */
function containedComponents(
  reader: IndexReader,
  clustering: NamedClustering,
  { foldedOfPage, sketches }: FoldedSketches,
): Components {
  const table = tableOf(sketches);
  const hosts = new Map<string, number>();
  const languages = new Map<string, number>();
  const siteOfPage = new Uint32Array(sketches.length);
  const languageOfPage = new Uint32Array(sketches.length);
  const firstOfGroup = new Int32Array(sketches.length).fill(-1);
  const pages = new UnionFind(reader.pageCount);
  for (const { id, url, lang } of reader.pages()) {
    const group = foldedOfPage[id]!;
    if (group < 0) continue;
    if (firstOfGroup[group] !== -1) {
      pages.union(firstOfGroup[group]!, id);
      continue;
    }
    firstOfGroup[group] = id;
    siteOfPage[group] = numberOf(hosts, hostOf(url));
    languageOfPage[group] = lang === null ? 0 : numberOf(languages, lang);
  }
  const parameters = copyParametersOf(reader)!;
  const partCount = Math.max(1, Math.ceil((table.keys.length * BYTES_PER_ENTRY) / PART_BYTES));
  const facts = { siteOfPage, ...(parameters.language_check && { languageOfPage }) };
  const { a, b } = containedPairs(table, facts, { ...joinOptionsOf(parameters), partCount }, [clustering]);
  for (let i = 0; i < a.length; i++) pages.union(firstOfGroup[a[i]!]!, firstOfGroup[b[i]!]!);
  return { pages, isFull: new Uint8Array(reader.pageCount) };
}

/** From 1 on, as they are met. */
function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name) ?? numbers.size + 1;
  numbers.set(name, known);
  return known;
}

function checkComponents(
  clusterOfPage: Int32Array,
  { pages, isFull }: Components,
  clustering: string,
  faults: string[],
): void {
  const clusterOfRoot = new Map<number, number>();
  const rootsOfCluster = new Map<number, Set<number>>();
  const hides = new Set<number>();
  for (const [page, cluster] of clusterOfPage.entries()) {
    const root = pages.find(page);
    const known = clusterOfRoot.get(root);
    if (known !== undefined && known !== cluster)
      faults.push(`page ${page} has a pair outside its cluster at ${clustering}`);
    clusterOfRoot.set(root, cluster);
    if (cluster < 0) continue;
    if (isFull[page] === 1) hides.add(cluster);
    const roots = rootsOfCluster.get(cluster);
    if (roots === undefined) rootsOfCluster.set(cluster, new Set([root]));
    else roots.add(root);
  }
  for (const [cluster, roots] of rootsOfCluster) {
    if (roots.size > 1 && !hides.has(cluster))
      faults.push(`cluster ${cluster} has ${roots.size} parts that no pair connects`);
  }
}
