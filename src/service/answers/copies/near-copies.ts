/**
 * Tells near copies among the pages of one list: `exclude_copies` leaves them out, a search folds them.
 *
 * Two pages are near copies if they are in one cluster of copies (the loosest clustering by resemblance) and resemble
 * each other at .9 or more, or have one title on one site. An index built without copies has none.
 *
 * Cost  10-20 us a page, and as much for each page before it in its cluster, of which at most 16 are compared.
 */
import { COPY } from '../../../relations/copy.ts';
import type { ClusterRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { copyFigures } from './copy-figures.ts';
import { type CopySource, copySource } from './copy-source.ts';
import { pageWording, type Wording } from './wording.ts';

/** Least resemblance of near copies, whatever their titles. */
export const NEAR_COPY = 0.9;
/** Pages of a cluster that one page is compared with at most. */
const MAX_COMPARED = 16;

interface Known {
  readonly pageId: number;
  readonly siteId: number;
  readonly title: string;
  readonly wording: Wording;
}

/** What is known of the pages met so far: a list that is walked again does not read them again. */
export class NearCopySource {
  readonly #generation: Generation;
  readonly #source: CopySource | null;
  readonly #level: number;
  readonly #clusters = new Map<number, ClusterRecord | undefined>();
  readonly #pages = new Map<number, Known>();

  constructor(generation: Generation) {
    const { copyClusterings } = generation.card;
    const loosest = copyClusterings
      .filter(({ measure }) => measure === 'resemblance')
      .toSorted((a, b) => a.threshold - b.threshold)[0];
    this.#generation = generation;
    this.#level = loosest === undefined ? -1 : copyClusterings.indexOf(loosest);
    this.#source = loosest === undefined || !generation.holds(COPY.name) ? null : copySource(generation);
  }

  /** Id of the cluster of copies that a page is in; -1 where it is in none. */
  clusterId(pageId: number): number {
    if (this.#source === null) return -1;
    if (!this.#clusters.has(pageId)) {
      const clusters = this.#generation.reader.clusters.ofPage(this.#source.relation.id, pageId);
      this.#clusters.set(
        pageId,
        clusters.find(({ level }) => level === this.#level),
      );
    }
    return this.#clusters.get(pageId)?.id ?? -1;
  }

  /** Reads what tells whether a page is a near copy of another. */
  readAhead(pageId: number): void {
    if (this.clusterId(pageId) >= 0) this.#page(pageId);
  }

  /** Whether two pages of one cluster are near copies. */
  areNear(a: number, b: number): boolean {
    const [left, right] = [this.#page(a), this.#page(b)];
    if (left.siteId === right.siteId && left.title === right.title && left.title !== '') return true;
    const { resemblance } = copyFigures(left.wording.sketch, right.wording.sketch);
    return resemblance.value >= NEAR_COPY;
  }

  #page(pageId: number): Known {
    const known = this.#pages.get(pageId);
    if (known !== undefined) return known;
    const { siteId, title } = this.#generation.reader.page(pageId);
    const wording = pageWording(this.#generation, this.#source!, pageId);
    const page = { pageId, siteId, title, wording };
    this.#pages.set(pageId, page);
    return page;
  }
}

/** The pages of a list so far. */
export class NearCopies {
  readonly #source: NearCopySource;
  readonly #byCluster = new Map<number, number[]>();

  constructor(source: NearCopySource, pageIds: Iterable<number> = []) {
    this.#source = source;
    for (const pageId of pageIds) this.add(pageId);
  }

  /** Reads what `originalOf` asks of a page. */
  readAhead(pageId: number): void {
    this.#source.readAhead(pageId);
  }

  add(pageId: number): void {
    const clusterId = this.#source.clusterId(pageId);
    if (clusterId < 0) return;
    const others = this.#byCluster.get(clusterId);
    if (others === undefined) this.#byCluster.set(clusterId, [pageId]);
    else others.push(pageId);
  }

  /** The first page added of which this is a near copy, or which it is; -1 where there is none. */
  originalOf(pageId: number): number {
    const clusterId = this.#source.clusterId(pageId);
    const others = clusterId < 0 ? undefined : this.#byCluster.get(clusterId);
    if (others === undefined) return -1;
    const compared = others.slice(0, MAX_COMPARED);
    return compared.find((other) => other === pageId || this.#source.areNear(other, pageId)) ?? -1;
  }
}
