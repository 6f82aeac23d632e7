/**
 * What a page that waits says, and where that puts it in the index, as one piece of memory that threads share: sizes of arrays, the
 * arrays, the rest as JSON. What is read of it is made when it is asked for, as of most pages little ever is: so 10,000 pages are
 * no heap for each thread.
 */
import type { Bag } from '../../../features/bag.ts';
import type { Reach } from '../../../join/exact/reach.ts';
import type { NeighborList } from '../../../join/pairs/neighbor-table.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import type { StoredCapture } from '../../../store/read/input-reader.ts';
import type { VersionRecord } from '../../../store/records.ts';

/** What is said in JSON. */
interface SaidFacts
  extends Pick<
    StoredCapture,
    'title' | 'lang' | 'wordCount' | 'card' | 'vectors' | 'mediaType' | 'bodyBytes'
  > {
  /** Of its owner's, as `packFeatures` packs them. */
  readonly features: string;
  readonly fields: PageFields;
  readonly textDigest: string;
}

export interface SaidParts {
  readonly facts: SaidFacts;
  /** URLs of other pages that it credits, ascending. */
  readonly links: readonly string[];
  /** Null in an index without copies. */
  readonly version: Omit<VersionRecord, 'id'> | null;
  /** Null in an index that keeps no texts. */
  readonly text: string | null;
  /** What a search finds it by; null in an index without search. */
  readonly words: PageWords | null;
  /** Of the relation by words; without a feature in an index that has none. */
  readonly bag: Bag;
  /** Null where lists of the index are not of the nearest bags. */
  readonly reach: Reach | null;
}

/** The words of a page as `searchWords` gives them, each once. */
export interface PageWords {
  /** In UTF-8, a space between two. */
  readonly text: Uint8Array;
  /** Of each how often it stands in the title. */
  readonly titleHits: Uint32Array;
  /** Word i stands at places[ends[i - 1]] .. places[ends[i] - 1], ascending; the text begins one place behind the title. */
  readonly ends: Uint32Array;
  readonly places: Uint32Array;
  /** Words of title and text. */
  readonly length: number;
}

/** The arrays, in their order in memory. */
const ARRAYS = {
  sketch: Float64Array,
  simhash: Uint32Array,
  features: Uint32Array,
  nearestIds: Uint32Array,
  reachedIds: Uint32Array,
  titleHits: Uint32Array,
  ends: Uint32Array,
  places: Uint32Array,
  nearestShared: Uint16Array,
  nearestTotal: Uint16Array,
  nearestNearness: Uint16Array,
  reachedShared: Uint16Array,
  reachedTotal: Uint16Array,
  reachedNearness: Uint16Array,
  weights: Uint8Array,
  words: Uint8Array,
  text: Uint8Array,
  links: Uint8Array,
  json: Uint8Array,
} as const;

type ArrayName = keyof typeof ARRAYS;
type ArrayOf<Name extends ArrayName> = (typeof ARRAYS)[Name]['prototype'];

const NAMES = Object.keys(ARRAYS) as ArrayName[];
const PLACE_OF = Object.fromEntries(NAMES.map((name, i) => [name, i])) as Record<ArrayName, number>;
/** Sizes of the arrays; words of title and text, one more than they are, 0 for a page that is not searched; what there is. */
const LENGTH_AT = NAMES.length;
const HAS_AT = LENGTH_AT + 1;
const [HAS_TEXT, HAS_REACH] = [1, 2];
const HEAD_LENGTH = HAS_AT + 1;
/** Longest element of an array. */
const ALIGNMENT = 8;
const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
const HEAD_BYTES = aligned(4 * HEAD_LENGTH);

/** Names how it lies in memory; the number is raised when what is said of a page is another thing. */
export const SAID_LAYOUT = `3 ${NAMES.map((name) => `${name} ${ARRAYS[name].name}`)}`;

interface Json extends SaidFacts {
  readonly linkCount: number;
  /** Its simhash and its keys stand in arrays; a sketch of all keys has no limit. */
  readonly version:
    | (Omit<VersionRecord, 'id' | 'simhash' | 'sketch'> & {
        readonly hasSimhash: boolean;
        readonly limit: number | null;
        readonly shingleCount: number;
      })
    | null;
}

export function packSaid({ facts, links, version, text, words, bag, reach }: SaidParts): SharedArrayBuffer {
  const { simhash = null, sketch = null, ...digests } = version ?? {};
  const json: Json = {
    ...facts,
    linkCount: links.length,
    version:
      version === null
        ? null
        : {
            ...(digests as Omit<VersionRecord, 'id' | 'simhash' | 'sketch'>),
            hasSimhash: simhash !== null,
            limit: Number.isFinite(sketch!.limit) ? sketch!.limit : null,
            shingleCount: sketch!.shingleCount,
          },
  };
  const arrays: { readonly [Name in ArrayName]: ArrayOf<Name> | undefined } = {
    sketch: sketch?.keys,
    simhash: simhash ?? undefined,
    features: bag.features,
    nearestIds: reach?.nearest.ids,
    reachedIds: reach?.reached.ids,
    titleHits: words?.titleHits,
    ends: words?.ends,
    places: words?.places,
    nearestShared: reach?.nearest.shared,
    nearestTotal: reach?.nearest.total,
    nearestNearness: reach?.nearest.nearness,
    reachedShared: reach?.reached.shared,
    reachedTotal: reach?.reached.total,
    reachedNearness: reach?.reached.nearness,
    weights: bag.weights,
    words: words?.text,
    text: text === null ? undefined : Buffer.from(text),
    links: Buffer.from(packUrls(links)),
    json: Buffer.from(JSON.stringify(json)),
  };
  const sizes = NAMES.map((name) => arrays[name]?.byteLength ?? 0);
  const memory = new SharedArrayBuffer(sizes.reduce((sum, size) => sum + aligned(size), HEAD_BYTES));
  const has = (text === null ? 0 : HAS_TEXT) | (reach === null ? 0 : HAS_REACH);
  new Uint32Array(memory, 0, HEAD_LENGTH).set([...sizes, words === null ? 0 : words.length + 1, has]);
  let at = HEAD_BYTES;
  for (const [i, name] of NAMES.entries()) {
    const { buffer, byteOffset } = arrays[name] ?? NOTHING;
    new Uint8Array(memory, at, sizes[i]!).set(new Uint8Array(buffer, byteOffset, sizes[i]));
    at += aligned(sizes[i]!);
  }
  return memory;
}

const NOTHING = new Uint8Array(0);

export class PageSaid {
  readonly #memory: SharedArrayBuffer;
  #json: Json | null = null;

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory;
  }

  get facts(): SaidFacts {
    return this.#said;
  }

  get linkCount(): number {
    return this.#said.linkCount;
  }

  get links(): string[] {
    return unpackUrls(textOf(this.#array('links')));
  }

  get version(): Omit<VersionRecord, 'id'> | null {
    const { version } = this.#said;
    if (version === null) return null;
    const { hasSimhash, limit, shingleCount, ...digests } = version;
    return {
      ...digests,
      simhash: hasSimhash ? this.#array('simhash') : null,
      sketch: { keys: this.sketchKeys, limit: limit ?? Number.POSITIVE_INFINITY, shingleCount },
    };
  }

  /** Of its version; none in an index without copies. */
  get sketchKeys(): Float64Array {
    return this.#array('sketch');
  }

  get text(): string | null {
    return (this.#head[HAS_AT]! & HAS_TEXT) > 0 ? textOf(this.#array('text')) : null;
  }

  get words(): PageWords | null {
    const length = this.#head[LENGTH_AT]! - 1;
    if (length < 0) return null;
    return {
      text: this.#array('words'),
      titleHits: this.#array('titleHits'),
      ends: this.#array('ends'),
      places: this.#array('places'),
      length,
    };
  }

  get bag(): Bag {
    const weights = this.#array('weights');
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i]!;
    return { features: this.#array('features'), weights, sum };
  }

  /** Of the index, those nearest to the page; null where its lists are not of the nearest bags. */
  get nearest(): NeighborList | null {
    if ((this.#head[HAS_AT]! & HAS_REACH) === 0) return null;
    return {
      ids: this.#array('nearestIds'),
      shared: this.#array('nearestShared'),
      total: this.#array('nearestTotal'),
      nearness: this.#array('nearestNearness'),
    };
  }

  /** Pages of the index in whose lists it stands. */
  get reached(): Required<Omit<NeighborList, 'lostCount'>> {
    return {
      ids: this.#array('reachedIds'),
      shared: this.#array('reachedShared'),
      total: this.#array('reachedTotal'),
      nearness: this.#array('reachedNearness'),
    };
  }

  /** What makes another one of it. */
  get memory(): SharedArrayBuffer {
    return this.#memory;
  }

  get #head(): Uint32Array {
    return new Uint32Array(this.#memory, 0, HEAD_LENGTH);
  }

  get #said(): Json {
    return (this.#json ??= JSON.parse(textOf(this.#array('json'))) as Json);
  }

  #array<Name extends ArrayName>(name: Name): ArrayOf<Name> {
    const sizes = this.#head;
    const place = PLACE_OF[name];
    let at = HEAD_BYTES;
    for (let i = 0; i < place; i++) at += aligned(sizes[i]!);
    const Type = ARRAYS[name] as unknown as new (
      memory: SharedArrayBuffer,
      at: number,
      length: number,
    ) => ArrayOf<Name>;
    return new Type(this.#memory, at, sizes[place]! / ARRAYS[name].BYTES_PER_ELEMENT);
  }
}

/** A line a URL: how much of the one before it begins with, and the rest. So many below one long address take little memory. */
function packUrls(urls: readonly string[]): string {
  const lines = urls.map((url, i) => {
    const before = urls[i - 1] ?? '';
    let same = 0;
    while (same < before.length && url[same] === before[same]) same++;
    return `${same} ${url.slice(same)}`;
  });
  return lines.join('\n');
}

function unpackUrls(packed: string): string[] {
  let url = '';
  return (packed === '' ? [] : packed.split('\n')).map((line) => {
    const end = line.indexOf(' ');
    url = url.slice(0, Number(line.slice(0, end))) + line.slice(end + 1);
    return url;
  });
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
