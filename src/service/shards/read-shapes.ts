/** Whether what a server says is what it was asked for: it may be another program, or another version of this one. */
import type { ReadName, ShardCard } from './shard-reads.ts';

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
const isNumber: Test = (value) => typeof value === 'number';
const isCount: Test = (value) => Number.isInteger(value) && (value as number) >= 0;
const isText: Test = (value) => typeof value === 'string';
const isUint32: Test = (value) => value instanceof Uint32Array;
const isUint16: Test = (value) => value instanceof Uint16Array;
const isFloat64: Test = (value) => value instanceof Float64Array;
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const ofAll =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const having =
  (tests: Readonly<Record<string, Test>>): Test =>
  (value) =>
    isObject(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

const isList: Test = (value) =>
  having({ ids: isUint32, shared: isUint16, total: isUint16 })(value) &&
  new Set(Object.values(value as Record<string, { length: number }>).map(({ length }) => length)).size === 1;
const isNamed = having({ id: isCount, url: isText, title: isText, site: isText });
const isCluster = having({ id: isCount, key: isText, centerId: isCount, size: isCount, label: isText });
const isVersion = having({ textDigest: isText, shingleDigest: isText, sketch: having({ keys: isFloat64 }) });
const isPage = having({ id: isCount, url: isText, title: isText, site: isText, fullTitle: isText });

const SHAPES: Readonly<Record<ReadName, Test>> = {
  describe: (value) => isShardCard(value),
  find: having({
    pageId: isNumber,
    page: orNull(isPage),
    neighbors: orNull(having({ list: isList })),
    named: ofAll(isNamed),
  }),
  idOf: isNumber,
  alias: orNull(having({ pageId: isCount, kind: isText })),
  goneIn: orNull(isNumber),
  aliases: ofAll(isObject),
  page: orNull(isPage),
  named: orNull(isNamed),
  neighbors: isList,
  bag: having({ features: isUint32, weights: (value) => value instanceof Uint8Array, sum: isNumber }),
  captures: ofAll(isObject),
  linkTargets: isUint32,
  allLinks: having({ pages: isUint32, ends: isUint32, targets: isUint32 }),
  isGone: (value) => typeof value === 'boolean',
  successor: isCount,
  pageCard: orNull(isObject),
  feature: isObject,
  findFeature: orNull(isObject),
  partPageCount: isNumber,
  nearestUrls: ofAll(having({ pageId: isCount, url: isText })),
  clustersOf: ofAll(isCluster),
  clusterByKey: orNull(isCluster),
  children: ofAll(isCluster),
  members: ofAll(having({ pageId: isCount, similarity: isNumber })),
  clusterList: ofAll(having({ cluster: isCluster })),
  clusterTotal: isNumber,
  version: isVersion,
  sketch: having({ shingleDigest: isText, sketch: having({ keys: isFloat64 }) }),
  currentVersion: isNumber,
  versionText: orNull(having({ title: isText, text: isText })),
  currentPagesOf: having({ pageIds: ofAll(isCount), moreCount: isCount }),
  pagesOfText: ofAll(having({ pageId: isCount, sweepId: isNumber })),
  template: isFloat64,
  withShingle: having({ versionIds: isUint32, shared: isUint32, unreadCount: isNumber }),
  searchWeights: having({ pageCount: isNumber, wordCount: isNumber, hitCounts: ofAll(isNumber) }),
  search: having({ pages: ofAll(having({ pageId: isCount, score: isNumber })), total: isNumber }),
  nearest: isList,
};

/** Whether a value can be the result of a read. */
export function hasShape(name: ReadName, value: unknown): boolean {
  return SHAPES[name](value);
}

/** Whether a server of a shard describes itself so; no other has a card. */
export function isShardCard(value: unknown): value is ShardCard {
  if (!having({ card: isObject, sweeps: Array.isArray, versionCount: isCount, wholeIds: isUint32 })(value)) {
    return false;
  }
  const { card, wholeIds } = value as ShardCard;
  const isPlace = having({ number: isCount, count: isCount, pageCount: isCount, index: isText });
  if (!isPlace(card.shard) || !having({ generation: isText })(card)) return false;
  const { number, count, pageCount } = card.shard!;
  return number < count && (wholeIds.at(-1) ?? -1) < pageCount && wholeIds.length <= pageCount;
}
