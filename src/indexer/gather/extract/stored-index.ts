import { keptIn } from '../../../lib/kept.ts';
import { NO_CARD } from '../../../page/card/page-card.ts';
import type { PageLink, TextSpan } from '../../../page/extracted-page.ts';
import type { WeightSpan } from '../../../page/marks/marks.ts';
import { fieldsOf } from '../../../sources/record/captured-page.ts';
import type { Capture } from '../../../sources/record/record.ts';
import { decodePageInput } from '../../../store/blobs/page-input.ts';
import { decodeSpans } from '../../../store/blobs/page-spans.ts';
import { decodeText, decodeTitle } from '../../../store/blobs/sketch-blobs.ts';
import type { InputReader, StoredAnswer, StoredCapture } from '../../../store/read/input-reader.ts';
import { IndexReader } from '../../../store/read/reader.ts';
import { packCard } from '../records/card-record.ts';
import { NO_COPY, packCopyRecord } from '../records/copy-record.ts';
import { unpackFolded } from '../records/folded-capture.ts';
import { packWords, unpackWords } from '../records/page-words.ts';
import type { ExtractSettings, Outcome, StoredBatch, StoredIndex } from './extract-task.ts';
import type { CaptureHead, RecordOutbox } from './record-outbox.ts';

/**
 * Gives an index back as the records that extraction made of its input: of each URL the answer that holds, and the past
 * captures of pages. HTML is not read again: words are counted in the texts, or where texts are not kept, their
 * stored counts are used.
 */
export class StoredIndexes {
  readonly #settings: ExtractSettings;
  readonly #outbox: RecordOutbox;
  readonly #open = new Map<number, OpenIndex>();

  constructor(settings: ExtractSettings, outbox: RecordOutbox) {
    this.#settings = settings;
    this.#outbox = outbox;
  }

  read({ what, index, from, to, firstSequence }: StoredBatch): Outcome[] {
    const open = keptIn(
      this.#open,
      index,
      () => new OpenIndex(this.#settings.indexes[index]!, this.#settings, this.#outbox),
    );
    return what === 'pages' ? open.pages(from, to, firstSequence) : open.others(from, to, firstSequence);
  }

  close(): void {
    for (const open of this.#open.values()) open.close();
    this.#open.clear();
  }
}

class OpenIndex {
  readonly #index: StoredIndex;
  readonly #settings: ExtractSettings;
  readonly #outbox: RecordOutbox;
  readonly #file: IndexReader;
  readonly #reader: InputReader;
  readonly #without: ReadonlySet<string>;
  readonly #unlinked: ReadonlySet<string>;

  constructor(index: StoredIndex, settings: ExtractSettings, outbox: RecordOutbox) {
    this.#index = index;
    this.#settings = settings;
    this.#outbox = outbox;
    this.#file = IndexReader.open(index.path);
    this.#reader = this.#file.input;
    this.#without = new Set(index.without);
    this.#unlinked = new Set(index.unlinked);
  }

  close(): void {
    this.#file.close();
  }

  pages(from: number, to: number, firstSequence: number): Outcome[] {
    let sequence = firstSequence;
    const captures = Array.from(this.#reader.captures(from, to), (one) => this.#page(one, sequence++));
    return captures.filter((outcome) => outcome !== null);
  }

  others(from: number, to: number, firstSequence: number): Outcome[] {
    let sequence = firstSequence;
    const answers = Array.from(this.#reader.others(from, to), (one) => this.#other(one, sequence++));
    return answers.filter((outcome) => outcome !== null);
  }

  #page(capture: StoredCapture, sequence: number): Outcome | null {
    const input = capture.input === null ? null : decodePageInput(capture.input);
    if (this.#without.has(capture.url)) return null;
    const ownUrl = (input === null ? capture.ownUrl : input.ownUrl) || capture.url;
    // Of an alias that is forgotten the page stays, as if it had been read by its own URL.
    const isOfForgotten = this.#without.has(ownUrl);
    const url = isOfForgotten ? capture.url : ownUrl;
    const { fields, badFields } = this.#declared(input === null ? '' : capture.fields);
    const head: CaptureHead = {
      url,
      sequence,
      sweepId: capture.sweepId + this.#index.sweepOffset,
      fetchedAtMs: capture.fetchedAtMs,
      lang: capture.lang ?? '',
      mediaType: capture.mediaType,
      charset: capture.charset,
      bodyBytes: capture.bodyBytes,
      // Of a past capture it is enough that it named one.
      canonical: isOfForgotten ? '' : (input?.canonical ?? (capture.ownUrl === null ? '' : capture.url)),
      features: input?.features ?? '',
      vectors: capture.vectors,
      fields,
      card: packCard(input === null ? NO_CARD : capture.card),
    };
    const { title, textDigest, wordCount, text } = capture;
    const hasSketch = this.#settings.copies === null || this.#index.hasSameSketches;
    const ready = this.#settings.copies === null ? NO_COPY : this.#packed(capture);
    if (input === null) {
      const read = hasSketch || text === null ? null : decodeText(text);
      const copy = read === null ? ready : this.#outbox.sketch(read.title, read.text);
      // The row of the page has the title of the capture that speaks.
      const ownTitle = text === null ? title : decodeTitle(text);
      this.#outbox.past(head, ownTitle, textDigest, wordCount, copy);
      return outcomeOf('past', head);
    }
    const stored = this.#links(input.targets, input.spans, url);
    const { links, headings, weights } = stored;
    if (text === null) {
      const words = wordsOf(input.words, stored);
      this.#outbox.wordPage(head, { title, textDigest, links, words, copy: ready });
    } else {
      const isPlain = head.mediaType === 'text/plain';
      const page = { ...decodeText(text), isPlain, lang: head.lang || null, headings, weights };
      this.#outbox.page(head, page, links, hasSketch ? { textDigest, copy: ready } : null);
    }
    return { ...outcomeOf('page', head), badFields };
  }

  /** The kinds of fields may have changed. */
  #declared(fields: string): Pick<Capture, 'fields' | 'badFields'> {
    return fieldsOf({ fields, badFields: null }, {}, this.#outbox.declaredFields);
  }

  /** What the index keeps of a text for the copy relation. */
  #packed({ sketch, text }: StoredCapture): Uint8Array {
    if (sketch === null) return NO_COPY;
    return packCopyRecord({ ...sketch, text: this.#settings.copies?.keepText === true ? text : null });
  }

  #other({ url, kind, sweepId, fetchedAtMs, record }: StoredAnswer, sequence: number): Outcome | null {
    if (this.#without.has(url)) return null;
    const origin = { url, sequence, sweepId: sweepId + this.#index.sweepOffset, fetchedAtMs };
    if (kind === 'redirect') return { ...origin, kind, to: Buffer.from(record).toString() };
    if (kind === 'gone') return { ...origin, kind };
    if (kind === 'noindex') {
      this.#outbox.noindex(url, sequence);
      return { ...origin, kind };
    }
    const { title, textDigest, text, copy, input, ...described } = unpackFolded(record);
    const { canonical, features } = input;
    const { fields, badFields } = this.#declared(described.fields);
    const head: CaptureHead = { ...origin, ...described, fields, canonical, features };
    const stored = this.#links(input.targets, input.spans, url);
    const { links, headings, weights } = stored;
    const { copies } = this.#settings;
    if (text === null) {
      const words = wordsOf(input.words, stored);
      this.#outbox.wordPage(head, {
        title,
        textDigest,
        links,
        words,
        copy: copies === null ? NO_COPY : copy,
      });
    } else {
      const isReady = copies !== null && this.#index.hasSameSketches && copies.keepText;
      const isPlain = head.mediaType === 'text/plain';
      const page = { ...decodeText(text), isPlain, lang: head.lang || null, headings, weights };
      this.#outbox.page(head, page, links, isReady ? { textDigest, copy } : null);
    }
    return { ...outcomeOf('page', head), badFields };
  }

  #links(targets: Float64Array, spans: Uint8Array, url: string): StoredLinks {
    const { links: places, headings, weights } = decodeSpans(spans, targets.length);
    const links: PageLink[] = [];
    const numbers = new Int32Array(targets.length).fill(-1);
    if (this.#unlinked.has(url)) return { links, numbers, headings, weights };
    for (let i = 0; i < targets.length; i++) {
      const target = this.#reader.urlOfTarget(targets[i]!);
      if (target === url || this.#without.has(target)) continue;
      numbers[i] = links.length;
      links.push({ ...places[i]!, target });
    }
    return { links, numbers, headings, weights };
  }
}

/** The links of a page that are given back. */
interface StoredLinks {
  readonly links: readonly PageLink[];
  /** Of each stored link its place among these, -1 where it is left out. */
  readonly numbers: Int32Array;
  readonly headings: readonly TextSpan[];
  readonly weights: readonly WeightSpan[];
}

/** The words of a page whose text is not kept, without the windows of links that are left out. */
function wordsOf(words: Uint8Array, { links, numbers }: StoredLinks): Uint8Array {
  if (links.length === numbers.length) return words;
  const unpacked = unpackWords(words);
  const windows = unpacked.windows.flatMap((window) => {
    const link = numbers[window.link]!;
    return link < 0 ? [] : [{ ...window, link }];
  });
  return packWords({ ...unpacked, windows });
}

function outcomeOf(kind: 'page' | 'past', head: CaptureHead): Outcome {
  const { url, sequence, sweepId, fetchedAtMs, canonical, bodyBytes } = head;
  const hasFeatures = head.features !== '';
  const has = { hasFeatures, hasVectors: head.vectors !== '' };
  return { kind, url, sequence, sweepId, fetchedAtMs, to: canonical || null, bodyBytes, ...has };
}
