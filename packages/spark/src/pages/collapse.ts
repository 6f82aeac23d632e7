/**
 * The stage `collapse`: one record of each URL of the index.
 *
 *   hidden, gone ──┐
 *   erased ────────┤
 *   page, folded ──┼─> page: the capture that speaks, the anchor words, the title; none for a URL that nothing is known of
 *   past ──────────┤
 *   windows ───────┘
 */

import { unpackFeatures } from 'akin-web/rooms/features/own-features';
import { isGroup, type Part } from 'akin-web/rooms/features/parts';
import { ByteReader, ByteWriter } from 'akin-web/rooms/indexer/files/records/bytes';
import { CollapsedUrl } from 'akin-web/rooms/indexer/gather/collapse/collapsed-url';
import { PastCaptures } from 'akin-web/rooms/indexer/gather/collapse/past-captures';
import {
  CollapsedWords,
  readCollapsedFacts,
  readCollapsedWords,
} from 'akin-web/rooms/indexer/gather/records/collapsed-record';
import { unpackCopy } from 'akin-web/rooms/indexer/gather/records/copy-record';
import { CountsBuffer } from 'akin-web/rooms/indexer/gather/records/counts-buffer';
import {
  type PageFacts,
  readPageHead,
  writeUnderUrl,
} from 'akin-web/rooms/indexer/gather/records/page-record';
import { takeGroup } from 'akin-web/rooms/indexer/weigh/part-counts';
import { lastOf } from 'akin-web/rooms/indexer/write/write-index';
import { hash32 } from 'akin-web/rooms/lib/hash';
import { key53 } from 'akin-web/rooms/lib/keys/key-table';
import { TOPIC_PROFILES } from 'akin-web/rooms/relations/topic';
import { bytesOf } from 'akin-web/rooms/store/blobs/blobs';
import { followedLinks } from 'akin-web/rooms/store/blobs/page-spans';
import { decodeKeys } from 'akin-web/rooms/store/blobs/sketch-blobs';
import { hostOf, rootOf, siteOf } from 'akin-web/rooms/url/site';
import type { RowOf } from '../record/columns.ts';
import { defineStage, type Emit } from '../record/stage.ts';
import { stagedParts } from './staged-parts.ts';

const INPUT = {
  url: 'text',
  /** 0 asks not to be indexed, 1 gone, 2 erased, 3 page, 4 folded, 5 past, 6 windows: in this order, so that none but the captures need be held. */
  rank: 'int',
  /** URL of the capture itself. */
  own_url: 'text?',
  /** Of a capture its place among all; erased: up to which of them none of the own URL is kept. */
  sequence: 'long?',
  /** A page record, or a sum of windows. */
  record: 'binary?',
} as const;
const [HIDDEN, GONE, ERASED, PAGE, FOLDED, PAST, WINDOWS] = [0, 1, 2, 3, 4, 5, 6];

const OUTPUT = {
  url: 'text',
  /** `key53` of the URL, by which links name it, and `hash32`, which says its shard. */
  url_key: 'long',
  url_hash: 'long',
  title: 'text',
  site: 'text',
  host: 'text',
  /** Pages of one share what their titles and menus repeat. */
  origin: 'text',
  lang: 'text',
  /** Whether a capture stands behind it; else it is known from links alone. */
  fetched: 'boolean',
  /** Whether all its captures are past. */
  is_gone: 'boolean',
  /** Those of its captures, apart by blanks. */
  sweeps: 'text',
  /** As in the local work folder. */
  record: 'binary',
  /** Of each part with features: its number among `stagedParts`, n, bytes a use (4 or 8) and a form (0 or 4), each uint32; n keys (float64), n uses (uint32, weights of a group float64), n forms (uint32). */
  words: 'binary',
  /** Keys of the URLs that the page links to (float64), those that credit no page apart; and of captures that others speak for. */
  links: 'binary',
  nofollow_links: 'binary',
  folded_links: 'binary',
  text_digest: 'binary?',
  /** Those of the past captures, one behind the other. */
  past_digests: 'binary',
  /** Null where copies are left out, or nothing was captured. */
  shingle_digest: 'binary?',
  /** The sketch: float64, ascending. */
  keys: 'binary?',
  key_limit: 'double?',
  shingle_count: 'long?',
  simhash: 'binary?',
} as const;

const NOTHING = new Uint8Array(0);

export const collapseStage = defineStage({
  name: 'collapse',
  doc: 'the captures and anchor windows of each URL as one page',
  order: 'by url, rank, own_url',
  input: INPUT,
  output: OUTPUT,
  open({ options }) {
    const { titleInAnchor } = TOPIC_PROFILES[options.profile];
    const out = new ByteWriter();
    const moved = new ByteWriter();
    const page = new PageInMaking();
    const words = new PackedWords(stagedParts(options.parts).packed, titleInAnchor);
    const finish = (emit: Emit<RowOf<typeof OUTPUT>>) => {
      const { url } = page;
      if (url === null) return;
      const made = page.take(out);
      if (made === null) return;
      const { title, page: facts, past, folded } = readCollapsedFacts(new ByteReader(made));
      const last = facts ?? lastOf(past);
      const copy = facts === null || facts.copy.length === 0 ? null : unpackCopy(facts.copy);
      emit({
        url,
        url_key: key53(url),
        url_hash: hash32(url),
        title,
        site: siteOf(url),
        host: hostOf(url),
        origin: rootOf(url),
        lang: last?.lang ?? '',
        fetched: last !== null,
        is_gone: facts === null && last !== null,
        sweeps: [...(facts === null ? [] : [facts]), ...past].map(({ sweepId }) => sweepId).join(' '),
        record: made,
        words: words.pack(made),
        ...linksOf(facts),
        folded_links: Buffer.concat(folded.map(({ links }) => bytesOf(links))),
        text_digest: facts?.textDigest ?? null,
        past_digests: Buffer.concat(past.map(({ textDigest }) => textDigest)),
        shingle_digest: copy?.shingleDigest ?? null,
        keys: copy === null ? null : bytesOf(decodeKeys(copy.keys)),
        key_limit: copy?.limit ?? null,
        shingle_count: copy?.shingleCount ?? null,
        simhash: copy === null || copy.simhash === null ? null : bytesOf(copy.simhash),
      });
    };
    return {
      take({ url, rank, own_url, sequence, record }, emit) {
        if (page.url !== null && page.url !== url) finish(emit);
        page.begin(url);
        if (rank === HIDDEN || rank === GONE) page.addAbsence(rank === HIDDEN);
        else if (rank === ERASED) page.erase(own_url === url ? '' : (own_url ?? ''), sequence!);
        else if (record === null) throw new Error(`a row of rank ${rank} has no record`);
        else if (rank === WINDOWS) page.addWindows(record);
        else if (rank === PAGE || rank === FOLDED || rank === PAST) {
          const ownUrl = own_url === url ? null : own_url;
          moved.clear();
          if (ownUrl !== null) writeUnderUrl(moved, record, url);
          else moved.raw(record);
          const capture = Uint8Array.from(moved.view());
          if (rank === PAGE) page.speak(capture);
          else page.addPast(capture, ownUrl ?? '', sequence ?? 0, rank === FOLDED);
        } else throw new Error(`there is no rank ${rank}`);
      },
      end: finish,
    };
  },
});

function linksOf(page: PageFacts | null): { links: Uint8Array; nofollow_links: Uint8Array } {
  if (page === null) return { links: NOTHING, nofollow_links: NOTHING };
  const followed = followedLinks(page);
  const isFollowed = new Set(followed);
  return {
    links: bytesOf(followed),
    nofollow_links: bytesOf(page.links.filter((key) => !isFollowed.has(key))),
  };
}

/** What has come of one URL. */
class PageInMaking {
  url: string | null = null;
  #isAbsent = false;
  #page: Uint8Array | null = null;
  #folded: Uint8Array[] = [];
  #past: PastCaptures | null = null;
  #hasAllCaptures = false;
  readonly #collapsed = new CollapsedUrl();

  begin(url: string): void {
    this.url = url;
  }

  speak(record: Uint8Array): void {
    this.#page = record;
  }

  addPast(record: Uint8Array, ownUrl: string, sequence: number, isFolded: boolean): void {
    const past = this.#pastCaptures();
    const { sweepId, fetchedAtMs } = headOf(record);
    const capture = { ownUrl, sequence, sweepId, fetchedAtMs, record };
    if (isFolded) {
      this.#folded.push(record);
      past.addFolded(capture);
    } else past.add(capture);
  }

  /** @param isHidden whether the URL asks not to be indexed: nothing of its past is kept. */
  addAbsence(isHidden: boolean): void {
    this.#isAbsent = true;
    if (isHidden) this.#pastCaptures().hide();
  }

  erase(ownUrl: string, sequence: number): void {
    this.#pastCaptures().erase({ ownUrl, sequence });
  }

  #pastCaptures(): PastCaptures {
    return (this.#past ??= new PastCaptures(this.url!));
  }

  addWindows(record: Uint8Array): void {
    this.#closeCaptures();
    this.#collapsed.addWindows(new ByteReader(record));
  }

  #closeCaptures(): void {
    if (this.#hasAllCaptures) return;
    const page = this.#page;
    const past = this.#past?.kept(page === null ? -1 : headOf(page).sweepId) ?? [];
    this.#collapsed.begin({ page, past, folded: this.#folded });
    this.#hasAllCaptures = true;
  }

  /** The collapsed record, or null where nothing makes a page; forgets the URL. */
  take(out: ByteWriter): Uint8Array | null {
    this.#closeCaptures();
    out.clear();
    const isPage = this.#collapsed.write(out, this.url!, this.#isAbsent);
    this.url = null;
    this.#isAbsent = false;
    this.#page = null;
    this.#folded = [];
    this.#past = null;
    this.#hasAllCaptures = false;
    return isPage ? out.view() : null;
  }
}

function headOf(record: Uint8Array) {
  return readPageHead(new ByteReader(record));
}

/** The counts of a page by part, as flat arrays that other languages read without varints. */
class PackedWords {
  readonly #parts: readonly Part[];
  readonly #titleInAnchor: boolean;
  readonly #counts = new CollapsedWords();
  readonly #group = new CountsBuffer();
  readonly #out = new ByteWriter();

  constructor(parts: readonly Part[], titleInAnchor: boolean) {
    this.#parts = parts;
    this.#titleInAnchor = titleInAnchor;
  }

  pack(record: Uint8Array): Uint8Array {
    const counts = this.#counts;
    const own = unpackFeatures(readCollapsedWords(new ByteReader(record), counts));
    if (this.#titleInAnchor) counts.anchor.addDistinct(counts.title);
    const out = this.#out;
    out.clear();
    for (const [part, name] of this.#parts.entries()) {
      const isOwn = isGroup(name);
      if (isOwn) takeGroup(own[name] ?? {}, this.#group);
      const { keys, tfs, forms, length } = isOwn ? this.#group : counts[name as keyof CollapsedWords];
      if (length === 0) continue;
      const formBytes = name === 'content' || name === 'title' ? 4 : 0;
      const uses = isOwn ? tfs.subarray(0, length) : Uint32Array.from(tfs.subarray(0, length));
      out.raw(bytesOf(Uint32Array.of(part, length, uses.BYTES_PER_ELEMENT, formBytes)));
      out.raw(bytesOf(keys.subarray(0, length)));
      out.raw(bytesOf(uses));
      if (formBytes > 0) out.raw(bytesOf(forms.subarray(0, length)));
    }
    return out.view();
  }
}
