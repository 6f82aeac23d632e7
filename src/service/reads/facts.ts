import type { PartShares } from '../../features/parts.ts';
import type { OwnVectors } from '../../features/vectors.ts';
import type { BagRecipe } from '../../features/weigh.ts';
import { type Listing, PLAIN } from '../../join/pairs/votes.ts';
import { listIn } from '../../lib/kept.ts';
import type { FieldKind } from '../../page/fields/page-fields.ts';
import { type FoundBlend, foundBlend, foundVectors } from '../../relations/meaning.ts';
import { LINK_RELATION_NAMES, type RelationName, relationOf } from '../../relations/relations.ts';
import { lendShare, listingOf } from '../../relations/topic.ts';
import type { IndexCard, RelationRecord, ShardPlace, StoredSweep } from '../../store/records.ts';
import { hostOf, siteOf } from '../../url/site.ts';
import { MAX_PAGE_BYTES } from '../http/body.ts';
import { Problem } from '../http/problems/problem.ts';
import { textHash } from '../http/question/request-key.ts';
import { NO_RULES, type Rules } from '../rules/rules.ts';

/** The sweep that stands for the pages that wait. */
export const LIVE_SWEEP = 'live';

export interface DescribedIndex {
  readonly card: IndexCard;
  readonly sweeps: readonly StoredSweep[];
  readonly versionCount: number;
  readonly hasSearch: boolean;
  readonly hasLinks: boolean;
}

/** What an index is, as it is passed on to threads. */
export interface FactsRecord extends DescribedIndex {
  readonly pageCount: number;
  /** Pages from this one on are of other shards, and merely named. */
  readonly ownPageCount: number;
  /** Null where all of the index is there. */
  readonly shard: ShardPlace | null;
  /** Where pages wait: names the state with them, as long as a generation. */
  readonly state?: string;
}

/** What stays the same for as long as a generation of an index is served. */
export class IndexFacts {
  readonly card: IndexCard;
  readonly id: string;
  readonly sweeps: readonly StoredSweep[];
  /** Id of the first sweep after the last that met a page which came by its URL and did not meet it; 0 for none. */
  readonly passedBy: (url: string, lastSweepId: number) => number;
  readonly versionCount: number;
  readonly hasSearch: boolean;
  readonly pageCount: number;
  readonly ownPageCount: number;
  readonly shard: ShardPlace | null;
  /** By whose words documents are weighed and terms are named; undefined where the index holds none of words. */
  readonly words: RelationRecord | undefined;
  /** Those that are answered from links; none in an index without links. */
  readonly linkRelations: readonly RelationName[];
  /** The state without rules. */
  readonly #pages: string;
  #state: string;
  #rules = NO_RULES;
  readonly #relations: ReadonlyMap<string, RelationRecord>;
  /** One for each name of vectors. */
  readonly #vectorRelations: readonly RelationRecord[];

  constructor(record: FactsRecord) {
    const { card } = record;
    this.card = card;
    this.id = card.generation;
    this.#pages = record.state ?? card.generation;
    this.#state = this.#pages;
    this.sweeps = record.sweeps;
    this.passedBy = passedByOf(record.sweeps);
    this.versionCount = record.versionCount;
    this.hasSearch = record.hasSearch;
    this.pageCount = record.pageCount;
    this.ownPageCount = record.ownPageCount;
    this.shard = record.shard;
    this.words = card.relations.find(({ name }) => relationOf(name).features === 'words');
    this.#relations = new Map(card.relations.map((relation) => [relation.name, relation]));
    this.#vectorRelations = card.relations.filter(({ name }) => relationOf(name).features === 'vectors');
    // The links of one shard of several say little.
    const isWhole = card.shard === null || card.shard.count === 1;
    this.linkRelations = isWhole && record.hasLinks ? LINK_RELATION_NAMES : [];
  }

  /** Whether pages wait for the index. */
  get hasWaiting(): boolean {
    return this.#pages !== this.id;
  }

  /** Names what is answered from: the generation, with the pages that wait and the rules. Cursors and tags are bound to it. */
  get state(): string {
    return this.#state;
  }

  /** What the app wants of its lists. */
  get rules(): Rules {
    return this.#rules;
  }

  set rules(rules: Rules) {
    this.#rules = rules;
    this.#state = rules.digest === '' ? this.#pages : `r-${textHash(`${this.#pages} ${rules.digest}`)}`;
  }

  holds(relationName: RelationName): boolean {
    return this.#relations.has(relationName) || this.linkRelations.includes(relationName);
  }

  /** Errors  Problem `relation-not-in-index`. */
  require(name: RelationName): void {
    if (!this.holds(name)) throw this.#notHeld(name);
  }

  /** What a build has prepared. Errors  Problem `relation-not-in-index`. */
  relation(name: string): RelationRecord {
    const relation = this.#relations.get(name);
    if (relation === undefined) throw this.#notHeld(name);
    return relation;
  }

  /** The names of vectors that it has, in order. */
  get vectorNames(): string[] {
    return this.#vectorRelations.map(({ profile }) => profile);
  }

  /** The name of the vectors that a relation is of; undefined for any other relation. */
  vectorName(relationId: number): string | undefined {
    return this.#vectorRelations.find(({ id }) => id === relationId)?.profile;
  }

  /** The relation by vectors of a name; undefined where there are none. */
  vectorRelation(name: string): RelationRecord | undefined {
    return this.#vectorRelations.find(({ profile }) => profile === name);
  }

  /** By which vectors lists by words go too, with their relation; null where they go by words alone. */
  get blend(): (FoundBlend & { readonly relation: RelationRecord }) | null {
    const blend = foundBlend(this.card.parameters);
    const relation = blend === null ? undefined : this.vectorRelation(blend.vectors);
    return blend === null || relation === undefined ? null : { ...blend, relation };
  }

  /** How lists by words go by what the index says of itself. */
  get listing(): Listing {
    return this.words === undefined ? PLAIN : listingOf(this.words, this.card.parameters);
  }

  /** How much of a page's words its neighbors lend to it; 0 where they lend none. */
  get lendShare(): number {
    return lendShare(this.card.parameters);
  }

  /** Whether the lists of a relation go by what neighbors lend. */
  isLent({ id }: Pick<RelationRecord, 'id'>): boolean {
    return this.lendShare > 0 && id === this.words?.id;
  }

  /** What is wrong with vectors beside those that the index has; null where nothing is. */
  vectorFault(vectors: OwnVectors): string | null {
    for (const { name, dimensions } of foundVectors(this.card.parameters)) {
      const length = vectors[name]?.length ?? dimensions;
      if (length === dimensions) continue;
      return `vectors.${name}: has ${length} components, those of the index have ${dimensions}`;
    }
    return null;
  }

  /** Of a page that is handed over: a build leaves out what is larger. */
  get maxPageBytes(): number {
    return Math.min(MAX_PAGE_BYTES, this.card.parameters['max_page_bytes'] as number);
  }

  /** What was declared of fields. */
  get declaredFields(): Readonly<Record<string, FieldKind>> {
    return (this.card.parameters['fields'] ?? {}) as Readonly<Record<string, FieldKind>>;
  }

  #notHeld(name: string): Problem {
    const held = [...this.#relations.keys(), ...this.linkRelations];
    const detail = `this index does not hold "${name}", only ${held.join(', ')}`;
    return new Problem('relation-not-in-index', `by: ${detail}`, {
      errors: [{ parameter: 'by', detail, received: name, allowed: held }],
    });
  }

  /** Of what parts the bags of pages are made, and with which shares. */
  get partShares(): PartShares {
    return (this.card.parameters['recipe'] as BagRecipe | undefined)?.parts ?? {};
  }
}

/**
 * Tells whether a sweep came by a page and did not meet it: one that has all there is of its site or of its host. A sweep
 * that does not say so tells nothing of pages that it did not meet.
 *
 * @returns of the URL of a page and the sweep that met it last.
 */
function passedByOf(sweeps: readonly StoredSweep[]): (url: string, lastSweepId: number) => number {
  const ofSite = new Map<string, number[]>();
  const ofHost = new Map<string, number[]>();
  for (const { id, covered } of sweeps) {
    for (const [names, ids] of [
      [covered.sites, ofSite],
      [covered.hosts, ofHost],
    ] as const)
      for (const name of names) listIn(ids, name).push(id);
  }
  return (url, lastSweepId) => {
    const ids = [...(ofSite.get(siteOf(url)) ?? []), ...(ofHost.get(hostOf(url)) ?? [])];
    return ids.reduce((first, id) => (id > lastSweepId && (first === 0 || id < first) ? id : first), 0);
  };
}
