/**
 * An index of three sweeps over a handful of pages that are copied, moved, changed and lost, written row by
 * row: neighbors and clusters come from comparing every two pages.
 */
import { createHash } from 'node:crypto';
import { copyParameters } from '../../src/indexer/options/copy-parameters.ts';
import { Random } from '../../src/lib/random.ts';
import { UnionFind } from '../../src/lib/union-find.ts';
import { extractText } from '../../src/page/extract-text.ts';
import { sketchOptionsOf } from '../../src/relations/copy.ts';
import { equalityFingerprints } from '../../src/sketch/fingerprint.ts';
import { lookupCount } from '../../src/sketch/lookup-keys.ts';
import { overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import { type ShingleSketch, sketchTokens } from '../../src/sketch/shingle-sketch.ts';
import { encodeKeys, encodeText, ShingleBlocks } from '../../src/store/blobs/sketch-blobs.ts';
import { UNDATED_MS } from '../../src/store/records.ts';
import { IndexWriter } from '../../src/store/write/writer.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { siteOf } from '../../src/url/site.ts';

const WORDS =
  'anchor barley candle derrick ember fathom gravel harbour inlet juniper kettle lantern meadow needle orchard pebble quarry ribbon saddle timber umbrella valley walnut yarrow zephyr almond bridge copper drift elm furrow glacier heron island jetty keel ledger marsh north ochre'.split(
    ' ',
  );

/** Running text of its own; equal for equal seeds. */
export function prose(seed: number, wordCount: number): string {
  const random = new Random(seed);
  return Array.from({ length: wordCount }, () => WORDS[random.below(WORDS.length)]).join(' ');
}

/** The same text with every `every`th word replaced. */
export function edited(text: string, every: number): string {
  return text
    .split(' ')
    .map((word, i) => (i % every === every - 1 ? `edited${i}` : word))
    .join(' ');
}

export const ESSAY_TEXT = prose(1, 600);
export const OLD_TEXT = prose(2, 300);
export const ESSAY = 'https://garden.example/essay';
export const MIRROR = 'https://mirror.example/essay';
export const NEAR = 'https://press.example/essay';
export const EXCERPT = 'https://press.example/excerpt';
export const OLD = 'https://garden.example/old';
export const NEW = 'https://garden.example/new';
export const ALIAS = 'https://garden.example/short';
export const GONE = 'https://garden.example/gone';
export const SHOUTED = 'https://garden.example/shouted';
export const STEADY = 'https://press.example/steady';
/** Its captures have no date. */
export const UNDATED = SHOUTED;
export const LINKED = 'https://unknown.example/linked';

interface SweepPage {
  readonly title: string;
  readonly text: string;
}

const page = (title: string, text: string): SweepPage => ({ title, text });
const steady = page('Steady', prose(5, 200));

const PARAMETERS = {
  copyProfile: 'akin',
  shingleSize: 10,
  copySimilarity: 0.5,
  copyClusterings: [],
  copyJoin: 'shingles',
  templateFilter: true,
  sameSiteBits: 0,
  keepText: true,
} as const;

/** How the index samples. */
const SKETCH = sketchOptionsOf(copyParameters(PARAMETERS));

/** URL to page, a sweep each. */
const SWEEPS: readonly Readonly<Record<string, SweepPage>>[] = [
  {
    [ESSAY]: page('An essay', ESSAY_TEXT),
    [MIRROR]: page('An essay', ESSAY_TEXT),
    [OLD]: page('On moving', OLD_TEXT),
    [GONE]: page('Lost', prose(3, 150)),
    [SHOUTED]: page('Spoken', prose(4, 120)),
    [STEADY]: steady,
  },
  {
    [ESSAY]: page('An essay', edited(ESSAY_TEXT, 300)),
    [MIRROR]: page('An essay', ESSAY_TEXT),
    [NEW]: page('On moving', edited(OLD_TEXT, 100)),
    [SHOUTED]: page('Spoken', prose(4, 120).toUpperCase().replaceAll(' ', ', ')),
    [STEADY]: steady,
  },
  {
    [ESSAY]: page('An essay', edited(ESSAY_TEXT, 40)),
    [MIRROR]: page('An essay', ESSAY_TEXT),
    [NEAR]: page('The essay again', edited(ESSAY_TEXT, 60)),
    [EXCERPT]: page('From an essay', ESSAY_TEXT.split(' ').slice(100, 160).join(' ')),
    [NEW]: page('On moving', edited(OLD_TEXT, 100)),
    [SHOUTED]: page('Spoken', prose(6, 120)),
    [STEADY]: steady,
  },
];

interface Version {
  readonly id: number;
  readonly digest: Buffer;
  readonly page: SweepPage;
  readonly sketch: ShingleSketch;
}

/** Writes the index; without `keepText` as an index that keeps none. */
export function writeSweepsIndex(path: string, keepText = true): void {
  const writer = new IndexWriter(path);
  writer.parameter('copy', copyParameters({ ...PARAMETERS, keepText }));
  const startedAtMs = (i: number) => Date.UTC(2026, 3 * i, 1);
  for (const [i, pages] of SWEEPS.entries()) {
    const recordCount = Object.keys(pages).length;
    const covered = { sites: [], hosts: ['garden.example', 'mirror.example', 'press.example'] };
    writer.sweep({ id: i + 1, name: `sweep-${i + 1}`, recordCount, startedAtMs: startedAtMs(i), covered });
  }
  const urls = [...new Set([LINKED, ...SWEEPS.flatMap((pages) => Object.keys(pages))])].sort();
  const sites = [...new Set(urls.map(siteOf))];
  for (const [id, site] of sites.entries()) writer.site(id, site);

  const versions = new Map<string, Version>();
  const current: (Version | undefined)[] = [];
  for (const [id, url] of urls.entries()) {
    const captured = SWEEPS.flatMap((pages, i) => (pages[url] ? [{ i, page: pages[url] }] : []));
    const last = captured.at(-1)?.page;
    writer.page({
      id,
      url,
      siteId: sites.indexOf(siteOf(url)),
      title: last?.title ?? 'linked',
      lang: null,
      fetched: last !== undefined,
      sweepId: captured.at(-1) === undefined ? null : captured.at(-1)!.i + 1,
      wordCount: 0,
      inLinkCount: 0,
      outLinkCount: 0,
    });
    for (const { i, page } of captured) {
      const version = versionOf(versions, writer, page, keepText);
      current[id] = version;
      writer.capture({
        pageId: id,
        sweepId: i + 1,
        fetchedAtMs: url === UNDATED ? UNDATED_MS : startedAtMs(i) + id,
        mediaType: 'text/plain',
        charset: 'utf-8',
        bodyBytes: page.text.length,
        textDigest: version.digest,
        versionId: version.id,
      });
    }
  }
  // A page that later says another address is its own is both a page and an alias.
  writer.gone(urls.indexOf(GONE), 2);
  writer.alias(ESSAY, urls.indexOf(MIRROR), 'canonical');
  writer.alias(ALIAS, urls.indexOf(NEW), 'redirect');
  writer.relation({
    id: 2,
    name: 'copy',
    profile: 'akin',
    measure: 'estimate',
    neighborLimit: 100,
    floor: 0.5,
    rank: 'similarity',
    kernel: null,
  });
  writer.clustering(2, 0, { name: '0.5', measure: 'resemblance', threshold: 0.5 });
  writeShingles(writer, [...versions.values()]);
  writePairs(writer, current, urls.length);
  writer.finish(Date.UTC(2026, 9, 1), '0.0.0');
}

function versionOf(
  versions: Map<string, Version>,
  writer: IndexWriter,
  page: SweepPage,
  keepText: boolean,
): Version {
  const key = JSON.stringify(page);
  let version = versions.get(key);
  if (version !== undefined) return version;
  const { text } = extractText(page.text);
  const tokens = readTokens(text);
  const sketched = sketchTokens(tokens, SKETCH);
  const { sketch } = sketched;
  const fingerprints = equalityFingerprints(text, tokens, sketched);
  const digest = createHash('sha256').update(key).digest().subarray(0, 8);
  versions.set(key, (version = { id: versions.size, digest, page, sketch }));
  writer.version({
    id: version.id,
    textDigest: digest,
    tokenDigest: Buffer.from(fingerprints.tokens, 'hex'),
    shingleDigest: Buffer.from(fingerprints.shingles, 'hex'),
    tokenCount: tokens.count,
    shingleCount: sketch.shingleCount,
    limit: sketch.limit,
    keys: encodeKeys(sketch.keys),
  });
  if (keepText) writer.versionText(version.id, encodeText(page.title, text));
  return version;
}

function writeShingles(writer: IndexWriter, versions: readonly Version[]): void {
  const holders = new Map<number, number[]>();
  for (const { id, sketch } of versions) {
    for (const key of sketch.keys.subarray(0, lookupCount(sketch.keys)))
      holders.set(key, [...(holders.get(key) ?? []), id]);
  }
  const blocks = new ShingleBlocks(writer.shingleBlock);
  for (const [key, ids] of [...holders].sort(([a], [b]) => a - b)) blocks.add(key, Uint32Array.from(ids));
  blocks.finish();
}

/** Neighbors of every page, and clusters by union-find: the slow way. */
function writePairs(writer: IndexWriter, current: readonly (Version | undefined)[], pageCount: number): void {
  const groups = new UnionFind(pageCount);
  for (let id = 0; id < pageCount; id++) {
    const near = nearOf(current, id);
    for (const other of near) if (other.value >= 0.5) groups.union(id, other.id);
    if (near.length === 0) continue;
    writer.neighbors(2, id, {
      ids: Uint32Array.from(near, (other) => other.id),
      shared: Uint16Array.from(near, (other) => other.shared),
      total: Uint16Array.from(near, (other) => other.total),
    });
  }
  const members = Map.groupBy(
    Array.from({ length: pageCount }, (_, id) => id).filter((id) => current[id] !== undefined),
    (id) => groups.find(id),
  );
  let clusterId = 0;
  for (const [centerId, ids] of members) {
    const key = `copy-${centerId}`;
    const size = ids.length;
    writer.cluster({
      id: clusterId,
      relationId: 2,
      level: 0,
      key,
      centerId,
      parentId: null,
      size,
      radius: 1,
      label: '',
    });
    for (const id of ids) writer.member(clusterId, id, 1);
    clusterId++;
  }
}

function nearOf(current: readonly (Version | undefined)[], id: number) {
  const own = current[id];
  if (own === undefined) return [];
  return current
    .flatMap((version, other) => {
      if (version === undefined || other === id) return [];
      const overlap = overlapOf(own.sketch, version.sketch);
      const { shared, ofA, ofB } = overlap;
      const { value } = resemblance(overlap);
      return shared < 0.5 * Math.min(ofA, ofB)
        ? []
        : [{ id: other, shared, total: ofA + ofB - shared, value }];
    })
    .sort((x, y) => y.value - x.value || x.id - y.id);
}
