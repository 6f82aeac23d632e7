/**
 * What can be read of an index: a row a read, with what it is asked by and what it says. The rows make the type of every
 * reader (`Reads`), and check what goes over the network in both directions (`read-checks.ts`).
 */

import type { Static, TSchema } from 'typebox';
import type { Bag } from '../../features/bag.ts';
import type { NearBy } from '../../join/pairs/nearness.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import { Type } from '../../lib/json-schema.ts';
import type { PageCard } from '../../page/card/page-card.ts';
import type { PageFields } from '../../page/fields/page-fields.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { ClusterChoice, ClusterSlice } from '../../store/read/cluster-reader.ts';
import type { OtherAnswer } from '../../store/read/input-reader.ts';
import type { RecentPage } from '../../store/read/pages/recent-pages.ts';
import type { SiteCount } from '../../store/read/pages/site-pages.ts';
import {
  type CountedWord,
  FACETS,
  type SearchOrder,
  type SearchResult,
  type SearchTotal,
  type WordCounts,
} from '../../store/read/search/search-reader.ts';
import type { CurrentPages, SharedShingles } from '../../store/read/version-reader.ts';
import type {
  AliasRecord,
  CaptureRecord,
  ClusterRecord,
  FeatureRecord,
  MemberRecord,
  StoredPage,
  VersionRecord,
} from '../../store/records.ts';
import type { StoredFilter } from './accept.ts';
import type { DescribedIndex } from './facts.ts';

/** What lists show of a page; a shard knows it of pages of other shards too. */
export type NamedPage = Pick<StoredPage, 'id' | 'url' | 'title' | 'site' | 'lang' | 'fetched'>;

/** A page by its URL; over the network, also what is asked next of most. */
export interface FoundUrl {
  /** -1 where there is neither the page nor an alias. */
  readonly pageId: number;
  readonly page: StoredPage | null;
  readonly neighbors: { readonly relationId: number; readonly list: NeighborList } | null;
  /** Its nearest pages. */
  readonly named: readonly NamedPage[];
}

/** All links of an index: page i has targets[ends[i - 1]] .. targets[ends[i] - 1]; and its pages that are gone. */
export interface AllLinks {
  readonly pages: Uint32Array;
  readonly ends: Uint32Array;
  readonly targets: Uint32Array;
  readonly gone: Uint32Array;
}

/** What an index is; `wholeIds` are those of a shard's own pages, ascending. */
export interface Description extends DescribedIndex {
  readonly wholeIds: Uint32Array;
}

/** The nearest pages to a bag. */
export interface NearestQuery {
  readonly relationId: number;
  readonly bag: Bag;
  /** In place of the bag, in the relation by own features: as `packFeatures` packs them. */
  readonly features?: string;
  readonly count: number;
  /** By what pages are nearest: as the kernel of the relation holds it, for a list that votes order; or by similarity. */
  readonly by: NearBy;
  /** Whether the list says how near its pages are, for votes. */
  readonly isRated: boolean;
  readonly filter: StoredFilter | null;
  /** A page that is left out; -1 for none. */
  readonly skip: number;
  /** Else one in a hundred of the nearest may be missed where that saves time. */
  readonly exact: boolean;
}

/** The nearest pages to a vector, which is of the name of the relation, Int8Array of its length. */
export interface NearestVectorsQuery extends Pick<NearestQuery, 'relationId' | 'count' | 'filter' | 'skip'> {
  readonly vector: Int8Array;
}

/** A word that is to be counted, see `SearchReader.counts`. */
export interface AskedWord {
  readonly word: string;
  readonly isPrefix: boolean;
  readonly withSimilar: boolean;
}

/** What is known of words before pages are searched for; of each word in its order. */
export interface SearchCounts extends SearchTotal {
  readonly words: readonly WordCounts[];
}

/** Of values whose type is known elsewhere: what is looked at of them. */
const shape = <Value>(schema: TSchema) => Type.Unsafe<Value>(schema);
const having = <Value>(properties: Record<string, TSchema>) => shape<Value>(Type.Object(properties));
const each = <Value>(schema: TSchema) => shape<readonly Value[]>(Type.Array(schema));
const orNull = <Value>(schema: TSchema) => shape<Value | null>(Type.Union([Type.Null(), schema]));
const numbers = <Numbers>(kind: abstract new (...args: never[]) => Numbers) =>
  Type.Refine(Type.Unsafe<Numbers>({}), (value) => value instanceof kind);

const count = Type.Integer({ minimum: 0 });
const number = Type.Number();
const text = Type.String();
const words = numbers<Uint32Array>(Uint32Array);
const keys = numbers<Float64Array>(Float64Array);
const vector = numbers<Int8Array>(Int8Array);
const list = Type.Refine(
  having<NeighborList>({
    ids: words,
    shared: numbers<Uint16Array>(Uint16Array),
    total: numbers<Uint16Array>(Uint16Array),
  }),
  ({ ids, shared, total, nearness }) =>
    ids.length === shared.length &&
    ids.length === total.length &&
    (nearness === undefined || (nearness instanceof Uint16Array && nearness.length === ids.length)),
);
const named = having<NamedPage>({ id: count, url: text, title: text, site: text });
const page = having<StoredPage>({ id: count, url: text, title: text, site: text, fullTitle: text });
const cluster = having<ClusterRecord>({ id: count, key: text, centerId: count, size: count, label: text });
const bag = having<Bag>({ features: words, weights: numbers<Uint8Array>(Uint8Array), sum: number });
const version = having<VersionRecord>({
  textDigest: text,
  shingleDigest: text,
  sketch: Type.Object({ keys }),
});
const counted = Type.Object({ word: text, pageCount: count });
const term = { words: Type.Array(text, { minItems: 1 }), isPrefix: Type.Boolean() };
const object = Type.Object({});
const choice = { level: count };
const place = { number: count, count, pageCount: count, index: text };

/** Only a shard's server has a card with a place. */
const description = Type.Refine(
  having<Description>({
    card: Type.Object({ generation: text, shard: Type.Object(place) }),
    sweeps: Type.Array(object),
    versionCount: count,
    wholeIds: words,
  }),
  ({ card: { shard }, wholeIds }) =>
    shard!.number < shard!.count &&
    (wholeIds.at(-1) ?? -1) < shard!.pageCount &&
    wholeIds.length <= shard!.pageCount,
);

function read<Arguments extends TSchema[], Result extends TSchema>(
  args: [...Arguments],
  result: Result,
  { isLong = false } = {},
) {
  return { args: Type.Tuple(args), result, isLong };
}

/** Takes longer than a look-up: a server answers it on a thread. */
const LONG = { isLong: true };

export const READS = {
  describe: read([], description),
  find: read(
    [text],
    having<FoundUrl>({
      pageId: number,
      page: orNull(page),
      neighbors: orNull(Type.Object({ list })),
      named: Type.Array(named),
    }),
  ),
  /** Its id alone, or -1. */
  idOf: read([text], number),
  alias: read(
    [text],
    orNull<{ readonly pageId: number; readonly kind: AliasRecord['kind'] }>(
      Type.Object({ pageId: count, kind: text }),
    ),
  ),
  /** Of a URL that is no page now: since which sweep it is none, and when it was answered so last; null where there is no answer. */
  otherAnswer: read([text], orNull<OtherAnswer>(object)),
  aliases: read([count], each<AliasRecord>(object)),
  page: read([count], page),
  /** Null where it is not known here. */
  named: read([count], orNull<NamedPage>(named)),
  /** All that are stored, by relation and page. */
  neighbors: read([count, count], list),
  bag: read([count, count], bag),
  captures: read([count], each<CaptureRecord>(object)),
  /** Out-links as page ids, ascending. */
  links: read([count], words),
  allLinks: read([], having<AllLinks>({ pages: words, ends: words, targets: words, gone: words }), LONG),
  isGone: read([count], Type.Boolean()),
  /** Id of the sweep that found a page gone; 0 where it is there. */
  lostIn: read([count], number),
  /** The page that speaks for one which leads elsewhere since a sweep; the page itself for all others. */
  successor: read([count], count),
  pageCard: read([count], orNull<PageCard>(object)),
  /** Of a page, as `packFeatures` packs them; '' where it has none. */
  ownFeatures: read([count], text),
  /** Of a page, by relation; without a component where it has none. */
  vector: read([count, count], vector),
  /** Empty where it has none. */
  pageFields: read([count], having<PageFields>({})),
  feature: read([count, count], having<FeatureRecord>({})),
  /** By relation, part and stem. */
  findFeature: read([count, text, text], orNull<FeatureRecord>(object)),
  partPageCount: read([count, text], number),
  nearestUrls: read(
    [text, count],
    each<{ readonly pageId: number; readonly url: string }>(Type.Object({ pageId: count, url: text })),
  ),
  /** Of a page, by relation. */
  clusters: read([count, count], each<ClusterRecord>(cluster)),
  clusterByKey: read([text], orNull<ClusterRecord>(cluster)),
  children: read([cluster, count], each<ClusterRecord>(cluster)),
  /** `limit` of a cluster behind `offset`, the center first. */
  members: read(
    [count, count, count],
    each<MemberRecord & { readonly isCenter: boolean }>(Type.Object({ pageId: count, similarity: number })),
  ),
  clusterList: read(
    [count, having<ClusterSlice>({ ...choice, limit: count, offset: count })],
    each<ClusterRecord>(cluster),
  ),
  clusterTotal: read([count, having<ClusterChoice>(choice)], number),
  version: read([count], version),
  /** How a page reads now; null where it has no text. */
  currentText: read([count], orNull<VersionRecord>(version)),
  sketch: read(
    [count],
    having<{ readonly shingleDigest: string; readonly sketch: ShingleSketch }>({
      shingleDigest: text,
      sketch: Type.Object({ keys }),
    }),
  ),
  /** Of a page; -1 where it has no text. */
  currentVersion: read([count], number),
  versionText: read([count], orNull<{ title: string; text: string }>(Type.Object({ title: text, text }))),
  /** The first of the pages that read now as a version. */
  currentPages: read([count, count], having<CurrentPages>({ pageIds: Type.Array(count), moreCount: count })),
  /** Where a text stood, by its digest. */
  pagesOfText: read(
    [text],
    each<{ readonly pageId: number; readonly sweepId: number }>(
      Type.Object({ pageId: count, sweepId: number }),
    ),
  ),
  /** Template keys of a host. */
  template: read([text], keys),
  withShingle: read(
    [keys],
    having<SharedShingles>({ versionIds: words, shared: words, unreadCount: number }),
    LONG,
  ),
  searchCounts: read(
    [each<AskedWord>(Type.Object({ word: text, isPrefix: Type.Boolean(), withSimilar: Type.Boolean() }))],
    having<SearchCounts>({
      pageCount: count,
      wordCount: count,
      words: Type.Array(
        Type.Object({ pageCount: count, longerPageCount: count, similar: Type.Array(counted), typos: count }),
      ),
    }),
    LONG,
  ),
  search: read(
    [
      having<SearchOrder>({
        terms: Type.Array(Type.Object({ ...term, weight: number, otherWeight: number }), { minItems: 1 }),
        unwanted: Type.Array(Type.Object(term)),
        averageLength: number,
        limit: count,
        hosts: Type.Array(text),
        unwantedHosts: Type.Array(text),
        facets: Type.Array(Type.Enum([...FACETS])),
      }),
    ],
    having<SearchResult>({
      pages: Type.Array(Type.Object({ pageId: count, score: number })),
      total: count,
      facets: Type.Object({}),
    }),
    LONG,
  ),
  /** The most frequent words that begin with some letters. */
  frequentWords: read([text, count], each<CountedWord>(counted), LONG),
  /** In any order. */
  siteCounts: read(
    [],
    each<SiteCount>(Type.Object({ site: text, pageCount: count, fetchedCount: count })),
    LONG,
  ),
  /** The first pages of a site from a page on, as many as asked for, ascending. */
  sitePages: read([text, count, count], words, LONG),
  /** The newest pages, as many as asked for, see `newestFirst`. */
  recent: read([count], each<RecentPage>(Type.Object({ pageId: count, sweepId: count })), LONG),
  nearest: read(
    [
      having<NearestQuery>({
        relationId: count,
        bag,
        count,
        by: text,
        isRated: Type.Boolean(),
        skip: number,
      }),
    ],
    list,
    LONG,
  ),
  /** Similarities are parts of COSINE_PARTS. */
  nearestVectors: read(
    [having<NearestVectorsQuery>({ relationId: count, vector, count, skip: number })],
    list,
    LONG,
  ),
};

export type ReadName = keyof typeof READS;
export type ReadArguments<Name extends ReadName> = Static<(typeof READS)[Name]['args']>;
export type ReadResult<Name extends ReadName> = Static<(typeof READS)[Name]['result']>;

/** Where one process of akin reads of another. */
export const READS_PATH = '/shard/reads';

/** One read as it is asked. */
export type AskedRead = readonly [name: ReadName, ...args: unknown[]];

/** Where these stand in memory there is nothing to wait for. */
type AtHand = 'find' | 'idOf' | 'successor' | 'neighbors';

export type ReadRows = {
  [Name in ReadName]: (
    ...args: ReadArguments<Name>
  ) => Promise<ReadResult<Name>> | (Name extends AtHand ? ReadResult<Name> : never);
};

export function isLong(name: string): boolean {
  return Object.hasOwn(READS, name) && READS[name as ReadName].isLong;
}
