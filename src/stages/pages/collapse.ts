/**
 * The stage `collapse`: one record of each URL of the index.
 *
 *   absent ──┐
 *   windows ─┼─> page: the capture that speaks, the anchor words, the title; none for a URL that nothing is known of
 *   page ────┤
 *   folded ──┘
 */

import { ByteReader, ByteWriter } from '../../indexer/files/bytes.ts';
import { AnchorSum } from '../../indexer/gather/records/anchor-sum.ts';
import {
  CollapsedWords,
  readCollapsedFacts,
  readCollapsedWords,
  writeCollapsed,
} from '../../indexer/gather/records/collapsed-record.ts';
import { unpackCopy } from '../../indexer/gather/records/copy-record.ts';
import { type PageFacts, titleOfPage, writeUnderUrl } from '../../indexer/gather/records/page-record.ts';
import { followedLinks } from '../../indexer/gather/records/page-words.ts';
import { hash32 } from '../../lib/hash.ts';
import { key53 } from '../../lib/key-table.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import { bytesOf } from '../../store/blobs/blobs.ts';
import { decodeKeys } from '../../store/blobs/sketch-blobs.ts';
import { hostOf, siteOf } from '../../url/site.ts';
import type { RowOf } from '../record/columns.ts';
import { defineStage, type Emit } from '../record/stage.ts';

const INPUT = {
  url: 'text',
  /** 0 absent, 1 page, 2 folded, 3 windows: in this order, so that none but the captures need be held. */
  rank: 'int',
  /** URL of the capture itself. */
  own_url: 'text?',
  /** A page record, or a sum of windows. */
  record: 'binary?',
} as const;
const [ABSENT, PAGE, FOLDED, WINDOWS] = [0, 1, 2, 3];

const OUTPUT = {
  url: 'text',
  /** `key53` of the URL, by which links name it, and `hash32`, which says its shard. */
  url_key: 'long',
  url_hash: 'long',
  title: 'text',
  site: 'text',
  host: 'text',
  lang: 'text',
  /** Whether a capture stands behind it; else it is known from links alone. */
  fetched: 'boolean',
  /** As in the local work folder. */
  record: 'binary',
  /** Of each part with words: part (0 content, 1 title, 2 anchor, 3 heading), n, bytes a form (0 or 4), each uint32; n keys (float64), n counts, n forms (uint32). */
  words: 'binary',
  /** Keys of the URLs that the page links to (float64), those that credit nobody apart; and of captures that others speak for. */
  links: 'binary',
  nofollow_links: 'binary',
  folded_links: 'binary',
  text_digest: 'binary?',
  /** Null where copies are left out, or nothing was captured. */
  shingle_digest: 'binary?',
  /** The sketch: float64, ascending. */
  keys: 'binary?',
  key_limit: 'double?',
  shingle_count: 'long?',
  simhash: 'binary?',
} as const;

const WORD_PARTS = ['content', 'title', 'anchor', 'heading'] as const;
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
    const words = new PackedWords(titleInAnchor);
    const finish = (emit: Emit<RowOf<typeof OUTPUT>>) => {
      const { url } = page;
      if (url === null) return;
      const made = page.take(out);
      if (made === null) return;
      const { page: facts, folded } = readCollapsedFacts(new ByteReader(made));
      const copy = facts === null || facts.copy.length === 0 ? null : unpackCopy(facts.copy);
      emit({
        url,
        url_key: key53(url),
        url_hash: hash32(url),
        title: titleOf(made),
        site: siteOf(url),
        host: hostOf(url),
        lang: facts?.lang ?? '',
        fetched: facts !== null,
        record: made,
        words: words.pack(made),
        ...linksOf(facts),
        folded_links: Buffer.concat(folded.map(({ links }) => bytesOf(links))),
        text_digest: facts?.textDigest ?? null,
        shingle_digest: copy?.shingleDigest ?? null,
        keys: copy === null ? null : bytesOf(decodeKeys(copy.keys)),
        key_limit: copy?.limit ?? null,
        shingle_count: copy?.shingleCount ?? null,
        simhash: copy === null || copy.simhash === null ? null : bytesOf(copy.simhash),
      });
    };
    return {
      take({ url, rank, own_url, record }, emit) {
        if (page.url !== null && page.url !== url) finish(emit);
        page.begin(url);
        if (rank === ABSENT) page.isAbsent = true;
        else if (record === null) throw new Error(`a row of rank ${rank} has no record`);
        else if (rank === WINDOWS) page.addWindows(record);
        else if (rank === PAGE || rank === FOLDED) {
          moved.clear();
          if (own_url !== null && own_url !== url) writeUnderUrl(moved, record, url);
          else moved.raw(record);
          page.addCapture(Uint8Array.from(moved.view()), rank === PAGE);
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
  isAbsent = false;
  #page: Uint8Array | null = null;
  #folded: Uint8Array[] = [];
  #hasWindows = false;
  readonly #anchors = new AnchorSum();

  begin(url: string): void {
    this.url = url;
  }

  addCapture(record: Uint8Array, speaks: boolean): void {
    if (speaks) this.#page = record;
    else this.#folded.push(record);
  }

  addWindows(record: Uint8Array): void {
    if (!this.#hasWindows) this.#anchors.begin(this.#page === null || titleOfPage(this.#page) === '');
    this.#hasWindows = true;
    this.#anchors.addPacked(new ByteReader(record));
  }

  /** The collapsed record, or null where nothing makes a page; forgets the URL. */
  take(out: ByteWriter): Uint8Array | null {
    const { url } = this;
    const [page, folded, isAbsent, hasWindows] = [this.#page, this.#folded, this.isAbsent, this.#hasWindows];
    this.url = null;
    this.isAbsent = false;
    this.#page = null;
    this.#folded = [];
    this.#hasWindows = false;
    const title =
      (page === null ? '' : titleOfPage(page)) || (hasWindows ? this.#anchors.mostFrequentText() : '');
    const { keys, sums: tfs } = this.#anchors.takeWords();
    if (page === null && (isAbsent || keys.length === 0)) return null;
    out.clear();
    writeCollapsed(out, { url: url!, title, anchor: { keys, tfs } }, { page, past: [], folded });
    return out.view();
  }
}

function titleOf(record: Uint8Array): string {
  const from = new ByteReader(record);
  from.skip(from.varint());
  return from.text();
}

/** The counts of a page by part, as flat arrays that other languages read without varints. */
class PackedWords {
  readonly #titleInAnchor: boolean;
  readonly #counts = new CollapsedWords();
  readonly #out = new ByteWriter();

  constructor(titleInAnchor: boolean) {
    this.#titleInAnchor = titleInAnchor;
  }

  pack(record: Uint8Array): Uint8Array {
    const counts = this.#counts;
    readCollapsedWords(new ByteReader(record), counts);
    if (this.#titleInAnchor) counts.anchor.addDistinct(counts.title);
    const out = this.#out;
    out.clear();
    for (const [part, name] of WORD_PARTS.entries()) {
      const { keys, tfs, forms, length } = counts[name];
      if (length === 0) continue;
      const formBytes = name === 'content' || name === 'title' ? 4 : 0;
      out.raw(bytesOf(Uint32Array.of(part, length, formBytes)));
      out.raw(bytesOf(keys.subarray(0, length)));
      out.raw(bytesOf(Uint32Array.from(tfs.subarray(0, length))));
      if (formBytes > 0) out.raw(bytesOf(forms.subarray(0, length)));
    }
    return out.view();
  }
}
