/**
 * Tells near copies among the pages of one list: `exclude_copies` leaves them out, a search folds them.
 *
 * Two pages are near copies if they are in one cluster of copies (the loosest clustering by resemblance) and resemble
 * each other at .9 or more, or have one title on one site. An index built without copies has none.
 *
 * Cost  10-20 us a page, and as much for each page before it in its cluster, of which at most 16 are compared.
 */
import { keptIn, listIn } from '../../../lib/kept.ts';
import { COPY } from '../../../relations/copy.ts';
import type { Reads } from '../../reads/reads.ts';
import { copyFigures } from './copy-figures.ts';
import { type CopySource, copySource } from './copy-source.ts';
import { pageWording, type Wording } from './wording.ts';

/** Least resemblance of near copies, whatever their titles. */
export const NEAR_COPY = 0.9;
/** Pages of a cluster that one page is compared with at most. */
const MAX_COMPARED = 16;

interface Known {
  readonly siteId: number;
  readonly title: string;
  readonly wording: Wording;
}

/** What is known of the pages met so far: a list that is walked again does not read them again. */
export class NearCopySource {
  readonly #source: CopySource | null;
  readonly #level: number;
  readonly #clusterIds = new Map<number, Promise<number>>();
  readonly #pages = new Map<number, Promise<Known>>();

  constructor(reads: Reads) {
    const { copyClusterings } = reads.facts.card;
    const loosest = copyClusterings
      .filter(({ measure }) => measure === 'resemblance')
      .toSorted((a, b) => a.threshold - b.threshold)[0];
    this.#level = loosest === undefined ? -1 : copyClusterings.indexOf(loosest);
    this.#source = loosest === undefined || !reads.facts.holds(COPY.name) ? null : copySource(reads);
  }

  /** Id of the cluster of copies that a page is in; -1 where it is in none. */
  clusterId(pageId: number): Promise<number> {
    return keptIn(this.#clusterIds, pageId, () => this.#readClusterId(pageId));
  }

  async #readClusterId(pageId: number): Promise<number> {
    if (this.#source === null) return -1;
    const clusters = await this.#source.reads.clusters(this.#source.relation.id, pageId);
    return clusters.find(({ level }) => level === this.#level)?.id ?? -1;
  }

  /** Reads what tells whether pages are near copies of others, above all of `twins`. */
  async readAhead(twins: readonly number[], pageIds: ArrayLike<number>): Promise<void> {
    if (this.#source === null) return;
    const ifInCluster = async (pageId: number) => (await this.clusterId(pageId)) >= 0 && this.#page(pageId);
    await Promise.all([
      ...twins.map((pageId) => Promise.all([this.clusterId(pageId), this.#page(pageId)])),
      ...Array.from(pageIds, ifInCluster),
    ]);
  }

  /** Whether two pages of one cluster are near copies. */
  async areNear(a: number, b: number): Promise<boolean> {
    const [left, right] = await Promise.all([this.#page(a), this.#page(b)]);
    if (left.siteId === right.siteId && left.title === right.title && left.title !== '') return true;
    const { resemblance } = copyFigures(left.wording.sketch, right.wording.sketch);
    return resemblance.value >= NEAR_COPY;
  }

  #page(pageId: number): Promise<Known> {
    return keptIn(this.#pages, pageId, () => this.#readPage(pageId));
  }

  async #readPage(pageId: number): Promise<Known> {
    const source = this.#source!;
    const [{ siteId, title }, wording] = await Promise.all([
      source.reads.page(pageId),
      pageWording(source, pageId),
    ]);
    return { siteId, title, wording };
  }
}

/** The pages of a list so far. */
export class NearCopies {
  readonly #source: NearCopySource;
  readonly #byCluster = new Map<number, number[]>();

  constructor(source: NearCopySource) {
    this.#source = source;
  }

  async add(pageId: number): Promise<void> {
    const clusterId = await this.#source.clusterId(pageId);
    if (clusterId >= 0) listIn(this.#byCluster, clusterId).push(pageId);
  }

  /** The first page added of which this is a near copy, or which it is; -1 where there is none. */
  async originalOf(pageId: number): Promise<number> {
    const clusterId = await this.#source.clusterId(pageId);
    const others = clusterId < 0 ? undefined : this.#byCluster.get(clusterId);
    if (others === undefined) return -1;
    for (const other of others.slice(0, MAX_COMPARED)) {
      if (other === pageId || (await this.#source.areNear(other, pageId))) return other;
    }
    return -1;
  }
}
