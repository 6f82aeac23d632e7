/** Answers what a router asks of a shard: pages by their whole ids, out and in. */
import type { NeighborList, NeighborSpan } from '../../join/pairs/neighbor-table.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { ClusterRecord, StoredPage } from '../../store/records.ts';
import { Problem } from '../http/problem.ts';
import { encodeReads, MAX_ANSWER_BYTES } from '../shards/read-codec.ts';
import type {
  FoundUrl,
  NamedPage,
  ReadArguments,
  ReadName,
  ReadResult,
  ShardReads,
} from '../shards/shard-reads.ts';
import { acceptBy } from './accept.ts';
import type { Generation } from './generation.ts';

/** Items of a list that are named with the page that is found. */
const NAMED_NEIGHBORS = 12;

export function answerRead<Name extends ReadName>(
  generation: Generation,
  name: Name,
  args: ReadArguments<Name>,
): ReadResult<Name> {
  const read = readsOf(generation)[name] as (...given: ReadArguments<Name>) => ReadResult<Name>;
  return read(...args);
}

/** One read as it is asked over the network. */
export type AskedRead = readonly [name: ReadName, ...args: unknown[]];

/**
 * The answers in the order of the reads, as `encodeReads` writes them.
 *
 * Errors  Problem `invalid-body` for what is no read, has no such page or version, or has more characters of answers.
 */
export function readsAnswer(
  generation: Generation,
  reads: readonly AskedRead[],
  mostCharacters = MAX_ANSWER_BYTES,
): string {
  const known = readsOf(generation);
  let length = 0;
  const texts = reads.map(([name, ...args], place) => {
    if (!Object.hasOwn(known, name))
      throw new Problem('invalid-body', `[${place}]: there is no read ${name}`);
    let text: string;
    try {
      const value = answerRead(generation, name, args as ReadArguments<typeof name>);
      text = encodeReads(name === 'find' ? withNext(generation, value as FoundUrl) : value);
    } catch (cause) {
      throw new Problem('invalid-body', `[${place}]: ${name} cannot be answered`, { cause });
    }
    length += text.length + 1;
    if (length < mostCharacters) return text;
    throw new Problem('invalid-body', `[${place}]: what is read has more than ${mostCharacters} characters`);
  });
  return `[${texts.join(',')}]`;
}

/** Adds what is asked next of most pages, so that it need not be. */
function withNext(generation: Generation, found: FoundUrl): FoundUrl {
  const page = found.pageId < 0 ? null : answerRead(generation, 'page', [found.pageId]);
  if (page === null) return found;
  const relationId = generation.card.relations[0]!.id;
  const list = answerRead(generation, 'neighbors', [relationId, page.id]);
  const named = Array.from(
    list.ids.subarray(0, NAMED_NEIGHBORS),
    (id) => answerRead(generation, 'named', [id])!,
  );
  return { pageId: page.id, page, neighbors: { relationId, list }, named };
}

const known = new WeakMap<Generation, ShardReads>();

function readsOf(generation: Generation): ShardReads {
  let reads = known.get(generation);
  if (reads === undefined) known.set(generation, (reads = makeReads(generation, generation.file)));
  return reads;
}

function makeReads(generation: Generation, reader: IndexReader): ShardReads {
  const { clusters, versions, ownPageCount } = reader;
  const ids = reader.shardIds;
  const wholeId = (pageId: number) => ids.wholeIds[pageId]!;
  const wholeList = ({ ids: local, shared, total }: NeighborList): NeighborList => {
    return { ids: local.map(wholeId), shared, total };
  };
  const wholeCluster = (cluster: ClusterRecord) => ({ ...cluster, centerId: wholeId(cluster.centerId) });
  /** What is said of an own page; `otherwise` of any other. */
  const ofOwn = <Value>(page: number, otherwise: Value, say: (pageId: number) => Value): Value => {
    const pageId = ids.findOwn(page);
    return pageId < 0 ? otherwise : say(pageId);
  };
  const wholePage = (pageId: number): StoredPage => ({ ...reader.page(pageId), id: wholeId(pageId) });
  const named = (pageId: number): NamedPage => {
    const { url, title, site, lang, fetched } = reader.page(pageId);
    return { id: wholeId(pageId), url, title, site, lang, fetched };
  };
  const lists = (relationId: number, page: number) =>
    ofOwn(page, NO_LIST, (pageId) => wholeList(reader.neighbors(relationId, pageId)));
  const idOf = (url: string) => {
    const pageId = reader.findPage(url);
    return pageId < 0 ? -1 : wholeId(pageId);
  };
  return {
    describe: () => ({
      card: generation.card,
      sweeps: reader.sweeps(),
      versionCount: versions.count,
      hasSearch: reader.search.isKept,
      hasLinks: reader.hasLinks(),
      wholeIds: ids.wholeIds.slice(0, ownPageCount),
    }),
    find: (url) => ({ ...NOT_FOUND, pageId: idOf(url) }),
    idOf,
    alias: (url) => {
      const found = reader.alias(url);
      return found === null ? null : { ...found, pageId: wholeId(found.pageId) };
    },
    goneIn: (url) => reader.goneIn(url),
    aliases: (page) => ofOwn(page, [], (pageId) => reader.aliases(pageId)),
    page: (page) => ofOwn(page, null, wholePage),
    named: (page) => {
      const pageId = ids.find(page);
      return pageId < 0 ? null : named(pageId);
    },
    neighbors: lists,
    bag: (relationId, page) => ofOwn(page, NO_BAG, (pageId) => reader.bag(relationId, pageId)),
    captures: (page) => ofOwn(page, [], (pageId) => reader.captures(pageId)),
    linkTargets: (page) => ofOwn(page, new Uint32Array(0), (pageId) => reader.linkTargets(pageId)),
    allLinks: () => {
      const rows = [...reader.allLinks()];
      const ends = new Uint32Array(rows.length);
      let end = 0;
      for (const [row, { targets }] of rows.entries()) ends[row] = end += targets.length;
      const targets = new Uint32Array(end);
      for (const [row, links] of rows.entries()) targets.set(links.targets, row === 0 ? 0 : ends[row - 1]!);
      return { pages: Uint32Array.from(rows, ({ pageId }) => wholeId(pageId)), ends, targets };
    },
    isGone: (page) => ofOwn(page, false, (pageId) => reader.isGone(pageId)),
    successor: (page) => ofOwn(page, page, (pageId) => wholeId(reader.successor(pageId))),
    pageCard: (page) => ofOwn(page, null, (pageId) => reader.pageCards.get(pageId)),
    feature: (relationId, feature) => reader.feature(relationId, feature),
    findFeature: (relationId, part, stem) => reader.findFeature(relationId, part, stem) ?? null,
    partPageCount: (relationId, part) => reader.partPageCount(relationId, part),
    nearestUrls: (url, count) =>
      reader
        .nearestUrls(url, count, 2 * count)
        .map((page) => ({ pageId: wholeId(page.pageId), url: page.url })),
    clustersOf: (relationId, page) =>
      ofOwn(page, [], (pageId) => clusters.ofPage(relationId, pageId).map(wholeCluster)),
    clusterByKey: (key) => {
      const cluster = clusters.byKey(key);
      return cluster === undefined ? null : wholeCluster(cluster);
    },
    children: (cluster, limit) => clusters.children(cluster, limit).map(wholeCluster),
    members: (clusterId, limit) => {
      const center = clusters.byId(clusterId)?.centerId;
      return clusters.members(clusterId, limit, 0).map(({ pageId, similarity }) => {
        return { pageId: wholeId(pageId), similarity, isCenter: pageId === center };
      });
    },
    clusterList: (relationId, slice) =>
      clusters.list(relationId, slice).map((cluster) => ({
        cluster: wholeCluster(cluster),
        isCenterFetched: reader.page(cluster.centerId).fetched,
      })),
    clusterTotal: (relationId, level) => clusters.total(relationId, level),
    version: (version) => versions.get(version),
    sketch: (version) => versions.sketchOf(version),
    currentVersion: (page) => ofOwn(page, -1, (pageId) => versions.current(pageId)),
    versionText: (version) => versions.text(version),
    currentPagesOf: (version, limit) => {
      const { pageIds, moreCount } = versions.currentPagesOf(version, limit);
      return { pageIds: pageIds.map(wholeId), moreCount };
    },
    pagesOfText: (textDigest) => {
      const version = versions.find(textDigest);
      const places = version < 0 ? [] : versions.pagesOf(version);
      return places.map(({ pageId, sweepId }) => ({ pageId: wholeId(pageId), sweepId }));
    },
    template: (host) => versions.templateOf(host),
    withShingle: (keys) => versions.withShingle(keys),
    searchWeights: (phrases) => reader.search.weights(phrases),
    search: ({ expression, weights, limit, mostWeighed, site, hosts, lang }) => {
      const siteId = site === null ? undefined : reader.findSite(site);
      if (siteId === -1) return { pages: [], total: 0 };
      const filter = { ...(siteId !== undefined && { siteId }), hosts, ...(lang !== null && { lang }) };
      const { pages, total } = reader.search.findBy(weights, expression, limit, mostWeighed, filter);
      return { pages: pages.map(({ pageId, score }) => ({ pageId: wholeId(pageId), score })), total };
    },
    nearest: ({ relationId, bag, count, filter, skip, exact }) => {
      const relation = generation.card.relations.find(({ id }) => id === relationId)!;
      const accept = filter === null ? null : acceptBy(filter, generation, (id) => ids.find(id));
      const search = { count, accept, skip: skip < 0 ? -1 : ids.findOwn(skip), exact };
      return wholeList(listOf(generation.nearest(relation, bag, search)));
    },
  };
}

const NO_LIST: NeighborList = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
};
const NOT_FOUND: Omit<FoundUrl, 'pageId'> = { page: null, neighbors: null, named: [] };
const NO_BAG = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };

function listOf({ ids, shared, total, start, end }: NeighborSpan): NeighborList {
  return {
    ids: ids.subarray(start, end),
    shared: Uint16Array.from(shared.subarray(start, end)),
    total: Uint16Array.from(total.subarray(start, end)),
  };
}
