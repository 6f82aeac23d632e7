import { type CopyClustering, clusterRoots, containmentJoin } from '../join/copies/copy-clusterings.ts';
import { CopyNeighbours, type FoldGroups, foldGroups } from '../join/copies/copy-neighbours.ts';
import type { PageFacts } from '../join/copies/pair-checks.ts';
import type { ShingleJoinOptions } from '../join/copies/shingle-join.ts';
import {
  DEFAULT_TEMPLATE,
  stripTemplates,
  type TemplateOptions,
  type Templates,
} from '../join/copies/template-shingles.ts';
import type { NeighbourList } from '../join/pairs/neighbour-table.ts';
import { type CopyUpdate, type CopyUpdateOptions, updateCopies } from '../join/update-copies.ts';
import { COPY_NEIGHBOUR_LIMIT, clusteringsOf, copyParameters, relationOptionsOf } from '../relations/copy.ts';
import type { SketchTable } from '../sketch/sketch-table.ts';
import type { IndexEditor } from '../store/editor.ts';
import type { IndexReader } from '../store/reader.ts';
import { hostOf } from '../url/site.ts';
import type { SweepChange } from './add-pages.ts';
import type { IndexState } from './add-state.ts';
import type { BuildOptions } from './build-options.ts';
import { type FoldedVersions, foldVersions } from './folded-versions.ts';
import { NONE } from './relate/copies.ts';
import { COPY_RELATION_ID } from './relate/relation-ids.ts';
import { renewTemplates } from './renew-templates.ts';
import { copyClusters, writeCopyClusters } from './write/write-copy-clusters.ts';

/**
 * Brings the copy relation up to date with the versions that pages have now. Templates are found anew on the hosts
 * whose pages changed, pairs and clusters where they touch. Returns how many pages were looked at anew.
 *
 * Cost  one pass over the sketches of all versions; else what `updateCopies` says.
 */
export function refreshCopies(
  editor: IndexEditor,
  reader: IndexReader,
  state: IndexState,
  { captured, newVersions }: Pick<SweepChange, 'captured' | 'newVersions'>,
  options: BuildOptions,
): number {
  const before = reader.versions.allCurrent(reader.pageCount);
  const moved = new Set(
    [...captured].filter(
      (page) =>
        state.versions[page] !== before[page] ||
        (reader.page(page).lang ?? '') !== (state.pages[page]!.lang ?? ''),
    ),
  );
  if (moved.size === 0) return 0;
  const folded = foldVersions(reader, state, newVersions, options);
  return new CopyRefresh(editor, reader, state, options, folded, moved).run(before);
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

class CopyRefresh {
  readonly #editor: IndexEditor;
  readonly #reader: IndexReader;
  readonly #state: IndexState;
  readonly #options: BuildOptions;
  readonly #folded: FoldedVersions;
  /** Pages of another version or language than before. */
  readonly #moved: ReadonlySet<number>;
  readonly #groups: FoldGroups;
  /** Stored clusters by level and page. */
  readonly #idsAt: readonly Int32Array[];

  constructor(
    editor: IndexEditor,
    reader: IndexReader,
    state: IndexState,
    options: BuildOptions,
    folded: FoldedVersions,
    moved: ReadonlySet<number>,
  ) {
    this.#editor = editor;
    this.#reader = reader;
    this.#state = state;
    this.#options = options;
    this.#folded = folded;
    this.#moved = moved;
    this.#groups = foldGroups(folded.foldedOfPage, folded.table.pageCount, NONE);
    this.#idsAt = clusteringsOf(options).map((_, level) =>
      reader.clusters.idsOfPages(COPY_RELATION_ID, level, state.pages.length),
    );
  }

  /** Shape  before: the stored version of each page. */
  run(before: ArrayLike<number>): number {
    const clusterings = clusteringsOf(this.#options);
    const settings = relationOptionsOf(copyParameters(this.#options), clusterings);
    const { facts } = this.#folded;
    const changed = this.#changedFolds(before);
    const table = this.#withoutTemplates(changed, settings.template);
    const update = this.#update(table, facts, changed, settings);
    const containment = containmentJoin(settings.join, clusterings);
    const { simhashes: _words, ...others } = facts;
    const contained =
      containment &&
      this.#update(table, others, changed, { join: containment, sameSiteAgreement: 0, sure: 1 });
    const pageCount = this.#writeLists(table, update);
    this.#writeClusters(table, update, contained);
    return pageCount;
  }

  #pagesOf(fold: number): Uint32Array {
    const { starts, members } = this.#groups;
    return members.subarray(starts[fold]!, starts[fold + 1]!);
  }

  /** Folds that pages came to or left. */
  #changedFolds(before: ArrayLike<number>): Set<number> {
    const { foldedOfPage, byDigest } = this.#folded;
    const changed = new Set<number>();
    for (const page of this.#moved) {
      changed.add(foldedOfPage[page]!);
      const left = before[page] ?? -1;
      const rest = left < 0 ? undefined : byDigest.get(this.#reader.versions.get(left).shingleDigest);
      if (rest !== undefined) changed.add(rest);
    }
    return changed;
  }

  /** The sketches without templates; folds that lose or gain a key by them join the changed. */
  #withoutTemplates(changed: Set<number>, options: TemplateOptions | null): SketchTable {
    const { table, facts } = this.#folded;
    let templates: Templates = new Map();
    if (options !== null) {
      const touched = [...this.#moved, ...[...changed].flatMap((fold) => [...this.#pagesOf(fold)])];
      const hosts = new Set(touched.map((page) => hostOf(this.#state.pages[page]!.url)));
      const known = this.#reader.versions.allTemplates();
      const renewed = renewTemplates(this.#editor, known, this.#folded, hosts, options);
      for (const fold of renewed.changed) changed.add(fold);
      templates = renewed.templates;
    }
    return stripTemplates(table, facts.siteOfPage, templates, DEFAULT_TEMPLATE.minimumKeys).table;
  }

  /** Pairs of one join, by the stored clusters of all its pairs. */
  #update(
    table: SketchTable,
    facts: PageFacts,
    changed: ReadonlySet<number>,
    options: CopyUpdateOptions,
  ): CopyUpdate {
    const ids = this.#idsAt[levelOf(clusteringsOf(this.#options), options.join)]!;
    const componentOf = Int32Array.from({ length: table.pageCount }, (_, fold) => {
      const stayed = this.#pagesOf(fold).find((page) => !this.#moved.has(page));
      return stayed === undefined ? -1 : ids[stayed]!;
    });
    const left = Array.from(this.#moved, (page) => ids[page]!).filter((id) => id >= 0);
    return updateCopies(table, facts, componentOf, changed, left, options);
  }

  /** Writes the lists that are others now; returns how many pages were looked at. */
  #writeLists(table: SketchTable, { pairs, touched }: CopyUpdate): number {
    const keyCounts = Uint32Array.from(
      { length: table.pageCount },
      (_, fold) => table.offsets[fold + 1]! - table.offsets[fold]!,
    );
    const neighbours = new CopyNeighbours(pairs, this.#groups, keyCounts, COPY_NEIGHBOUR_LIMIT);
    const pages = new Set(this.#moved);
    for (const fold of touched) for (const page of this.#pagesOf(fold)) pages.add(page);
    for (const page of [...pages].sort((a, b) => a - b)) {
      const list = neighbours.of(page, this.#folded.foldedOfPage[page]!);
      if (isEqual(list, this.#reader.neighbours(COPY_RELATION_ID, page))) continue;
      if (list.ids.length > 0) this.#editor.neighbours(COPY_RELATION_ID, page, list);
      else this.#editor.removeNeighbours(COPY_RELATION_ID, page);
    }
    return pages.size;
  }

  #writeClusters(table: SketchTable, update: CopyUpdate, contained: CopyUpdate | null): void {
    const clusters = this.#editor.editClusters();
    const former = new Set<number>();
    const headOf = (page: number) => this.#state.pages[page]!;
    let nextId = 0;
    for (const [level, clustering] of clusteringsOf(this.#options).entries()) {
      const { touched, pairs } = clustering.measure === 'containment' ? contained! : update;
      const ids = this.#idsAt[level]!;
      const rootOf = clusterRoots(table, pairs, clustering);
      const roots = new Uint32Array(table.pageCount).fill(NONE);
      for (const fold of touched) {
        roots[fold] = rootOf[fold]!;
        for (const page of this.#pagesOf(fold)) former.add(ids[page]!);
      }
      for (const page of this.#moved) former.add(ids[page]!);
      const found = copyClusters(roots, clustering.measure, table, this.#groups, headOf);
      nextId += writeCopyClusters(clusters, COPY_RELATION_ID, nextId, level, clustering.name, found);
    }
    clusters.apply(COPY_RELATION_ID, former);
  }
}

function isEqual(a: NeighbourList, b: NeighbourList): boolean {
  return (
    a.ids.length === b.ids.length &&
    a.ids.every((id, i) => id === b.ids[i] && a.shared[i] === b.shared[i] && a.total[i] === b.total[i])
  );
}
