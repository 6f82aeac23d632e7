import { type CopyClustering, clusterRoots, containmentJoin } from '../join/copy-clusterings.ts';
import { CopyNeighbours, foldGroups } from '../join/copy-neighbours.ts';
import type { PageFacts } from '../join/pair-checks.ts';
import type { ShingleJoinOptions } from '../join/shingle-join.ts';
import {
  DEFAULT_TEMPLATE,
  findTemplates,
  stripTemplates,
  type Templates,
} from '../join/template-shingles.ts';
import { type CopyUpdateOptions, updateCopies } from '../join/update-copies.ts';
import { COPY_NEIGHBOUR_LIMIT, clusteringsOf, copyParameters, relationOptionsOf } from '../relations/copy.ts';
import type { ShingleSketch } from '../sketch/shingle-sketch.ts';
import { type SketchTable, sketchAt, tableOf, tableOfPages } from '../sketch/sketch-table.ts';
import { SIMHASH_LANES } from '../sketch/word-simhash.ts';
import type { IndexEditor } from '../store/editor.ts';
import type { IndexReader } from '../store/reader.ts';
import type { NeighbourList } from '../store/records.ts';
import { decodeKeys } from '../store/sketch-blobs.ts';
import { hostOf } from '../url/site.ts';
import type { SweepChange } from './add-pages.ts';
import { COPY_RELATION_ID, type IndexState } from './add-state.ts';
import type { BuildOptions } from './build-options.ts';
import { NONE } from './copies.ts';
import { unpackCopy } from './copy-record.ts';
import { copyClusters, writeCopyClusters } from './write-copy-clusters.ts';

/** What of a version tells its copies. */
interface Sketched {
  readonly shingleDigest: string;
  readonly sketch: ShingleSketch;
  readonly simhash: Uint32Array | null;
}

/** Current versions with equal ones folded, as a full build folds them. */
interface Folded {
  /** Uint32Array(pages): `NONE` for one that was never read. */
  readonly foldedOfPage: Uint32Array;
  /** By shingle digest; empty ones are in none. */
  readonly byDigest: ReadonlyMap<string, number>;
  /** Whole sketches. */
  readonly table: SketchTable;
  readonly facts: PageFacts;
  readonly hostNames: readonly string[];
}

/**
 * Brings the copy relation up to date with the versions that pages have now. Templates are found anew on the hosts
 * whose pages changed, pairs and clusters where they touch. Returns how many pages were written anew.
 *
 * Cost  one pass over the sketches of all current versions; else what `updateCopies` says.
 */
export function refreshCopies(
  editor: IndexEditor,
  reader: IndexReader,
  state: IndexState,
  { captured, newVersions }: Pick<SweepChange, 'captured' | 'newVersions'>,
  options: BuildOptions,
): number {
  const clusterings = clusteringsOf(options);
  const settings = relationOptionsOf(copyParameters(options), clusterings);
  const before = reader.versions.allCurrent(reader.pageCount);
  const moved = [...captured].filter(
    (page) =>
      state.versions[page] !== before[page] ||
      (reader.page(page).lang ?? '') !== (state.pages[page]!.lang ?? ''),
  );
  if (moved.length === 0) return 0;
  const folded = foldCurrent(reader, state, newVersions, options);
  const { foldedOfPage, byDigest, facts, hostNames } = folded;
  const changed = new Set<number>();
  for (const page of moved) {
    changed.add(foldedOfPage[page]!);
    const left = (before[page] ?? -1) < 0 ? undefined : reader.versions.get(before[page]!).shingleDigest;
    const rest = left === undefined ? undefined : byDigest.get(left);
    if (rest !== undefined) changed.add(rest);
  }
  const groups = foldGroups(foldedOfPage, folded.table.pageCount, NONE);
  const pagesOf = (page: number) => groups.members.subarray(groups.starts[page]!, groups.starts[page + 1]!);
  const touchedHosts = new Set(
    [...moved, ...[...changed].flatMap((one) => [...pagesOf(one)])].map((page) =>
      hostOf(state.pages[page]!.url),
    ),
  );
  const templates = settings.template === null ? new Map<number, Float64Array>() : renewTemplates();
  const { table } = stripTemplates(folded.table, facts.siteOfPage, templates, DEFAULT_TEMPLATE.minimumKeys);

  const isMoved = new Set(moved);
  const idsAt = clusterings.map((_, level) =>
    reader.clusters.idsOfPages(COPY_RELATION_ID, level, state.pages.length),
  );
  const updateAt = (level: number, of: PageFacts, how: CopyUpdateOptions) => {
    const ids = idsAt[level]!;
    const componentOf = Int32Array.from({ length: table.pageCount }, (_, one) => {
      const stayed = pagesOf(one).find((page) => !isMoved.has(page));
      return stayed === undefined ? -1 : ids[stayed]!;
    });
    const former = moved.map((page) => ids[page]!).filter((id) => id >= 0);
    return updateCopies(table, of, componentOf, changed, former, how);
  };
  const update = updateAt(levelOf(clusterings, settings.join), facts, settings);
  const containment = containmentJoin(settings.join, clusterings);
  const { simhashes: _words, ...others } = facts;
  const contained =
    containment === null
      ? null
      : updateAt(levelOf(clusterings, containment), others, {
          join: containment,
          sameSiteAgreement: 0,
          sure: 1,
        });

  const keyCounts = Uint32Array.from(
    { length: table.pageCount },
    (_, i) => table.offsets[i + 1]! - table.offsets[i]!,
  );
  const neighbours = new CopyNeighbours(update.pairs, groups, keyCounts, COPY_NEIGHBOUR_LIMIT);
  const pages = new Set(moved);
  for (const one of update.touched) for (const page of pagesOf(one)) pages.add(page);
  for (const page of [...pages].sort((a, b) => a - b)) {
    const list = neighbours.of(page, foldedOfPage[page]!);
    if (isEqual(list, reader.neighbours(COPY_RELATION_ID, page))) continue;
    if (list.ids.length > 0) editor.neighbours(COPY_RELATION_ID, page, list);
    else editor.removeNeighbours(COPY_RELATION_ID, page);
  }
  const clusters = editor.editClusters();
  const former = new Set<number>();
  let nextId = 0;
  for (const [level, clustering] of clusterings.entries()) {
    const { touched, pairs } = clustering.measure === 'containment' ? contained! : update;
    const rootOf = clusterRoots(table, pairs, clustering);
    const roots = new Uint32Array(table.pageCount).fill(NONE);
    for (const one of touched) {
      roots[one] = rootOf[one]!;
      for (const page of pagesOf(one)) former.add(idsAt[level]![page]!);
    }
    for (const page of moved) former.add(idsAt[level]![page]!);
    const headOf = (page: number) => state.pages[page]!;
    const found = copyClusters(roots, clustering.measure, table, groups, headOf);
    writeCopyClusters(clusters, COPY_RELATION_ID, nextId, level, clustering.name, found);
    nextId += found.length;
  }
  clusters.apply(COPY_RELATION_ID, former);
  return pages.size;

  /** Templates of all hosts, those of the touched ones found anew; pages that lose or gain a key are changed too. */
  function renewTemplates(): Templates {
    const isTouched = hostNames.map((name) => touchedHosts.has(name));
    const known = reader.versions.allTemplates();
    const own = folded.facts.siteOfPage;
    const chosen = Uint32Array.from(own.keys()).filter((one) => isTouched[own[one]!]);
    const hosts = chosen.map((one) => own[one]!);
    const fresh = findTemplates(tableOfPages(folded.table, chosen), hosts, settings.template!);
    const all = new Map<number, Float64Array>();
    const flipped = new Map<number, Set<number>>();
    for (const [host, name] of hostNames.entries()) {
      const stored = known.get(name) ?? new Float64Array(0);
      const now = isTouched[host] ? (fresh.get(host) ?? new Float64Array(0)) : stored;
      if (now.length > 0) all.set(host, now);
      const other = new Set(now).symmetricDifference(new Set(stored));
      if (other.size === 0) continue;
      flipped.set(host, other);
      if (now.length > 0) editor.templateShingles(name, now);
      else editor.removeTemplate(name);
    }
    for (const one of chosen) {
      const keys = flipped.get(own[one]!);
      if (keys !== undefined && sketchAt(folded.table, one).keys.some((key) => keys.has(key)))
        changed.add(one);
    }
    for (const name of known.keys()) if (!hostNames.includes(name)) editor.removeTemplate(name);
    return all;
  }
}

/**
 * Whether the stored clusters tell how far a change can reach. Those at the threshold of the pairs do; higher ones part
 * pages that are a pair, and super shingles find pairs that share none of the keys looked at here.
 */
export function canRefreshCopies(options: BuildOptions): boolean {
  const { join } = relationOptionsOf(copyParameters(options), []);
  return join.by === 'shingles' && levelOf(clusteringsOf(options), join) >= 0;
}

/** The clustering of all pairs of a join. */
function levelOf(
  clusterings: readonly CopyClustering[],
  { measure, threshold }: Pick<ShingleJoinOptions, 'measure' | 'threshold'>,
): number {
  return clusterings.findIndex((one) => one.measure === measure && one.threshold === threshold);
}

/** Folds the versions that pages have now, in page order. */
function foldCurrent(
  reader: IndexReader,
  state: IndexState,
  newVersions: SweepChange['newVersions'],
  options: BuildOptions,
): Folded {
  const isCurrent = new Set(state.versions);
  const versions = new Map<number, Sketched>();
  for (const version of reader.versions.all())
    if (isCurrent.has(version.id)) versions.set(version.id, version);
  for (const [id, { copy }] of newVersions) {
    const { shingleDigest, limit, shingleCount, keys, simhash } = unpackCopy(copy);
    const sketch = { keys: decodeKeys(keys), limit, shingleCount };
    versions.set(id, { shingleDigest: Buffer.from(shingleDigest).toString('hex'), sketch, simhash });
  }
  const foldedOfPage = new Uint32Array(state.pages.length).fill(NONE);
  const byDigest = new Map<string, number>();
  const heads: { page: number; version: Sketched }[] = [];
  for (const [page, id] of state.versions.entries()) {
    if (id < 0) continue;
    const version = versions.get(id)!;
    // A page without a shingle is a copy of none.
    const known = version.sketch.shingleCount === 0 ? undefined : byDigest.get(version.shingleDigest);
    foldedOfPage[page] = known ?? heads.length;
    if (known !== undefined) continue;
    if (version.sketch.shingleCount > 0) byDigest.set(version.shingleDigest, heads.length);
    heads.push({ page, version });
  }
  const hosts = new Map<string, number>();
  const languages = new Map([['', 0]]);
  const simhashes = new Uint32Array(options.sameSiteBits > 0 ? heads.length * SIMHASH_LANES : 0);
  const siteOfPage = Uint32Array.from(heads, ({ page }) => idOf(hosts, hostOf(state.pages[page]!.url)));
  const languageOfPage = Uint32Array.from(heads, ({ page }) =>
    idOf(languages, state.pages[page]!.lang ?? ''),
  );
  if (options.sameSiteBits > 0) {
    for (const [i, { version }] of heads.entries()) simhashes.set(version.simhash!, i * SIMHASH_LANES);
  }
  const { language_check: checksLanguage } = copyParameters(options);
  return {
    foldedOfPage,
    byDigest,
    table: tableOf(heads.map(({ version }) => version.sketch)),
    facts: {
      siteOfPage,
      ...(checksLanguage && { languageOfPage }),
      ...(options.sameSiteBits > 0 && { simhashes }),
    },
    hostNames: [...hosts.keys()],
  };
}

function idOf(ids: Map<string, number>, name: string): number {
  const known = ids.get(name);
  if (known !== undefined) return known;
  ids.set(name, ids.size);
  return ids.size - 1;
}

function isEqual(a: NeighbourList, b: NeighbourList): boolean {
  return (
    a.ids.length === b.ids.length &&
    a.ids.every((id, i) => id === b.ids[i] && a.shared[i] === b.shared[i] && a.total[i] === b.total[i])
  );
}
