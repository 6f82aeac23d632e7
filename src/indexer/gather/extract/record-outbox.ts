import { Analyzer } from '../../../features/counts/analyzer.ts';
import { type Language, languageOf } from '../../../features/counts/language.ts';
import { countPage, type PageCounts } from '../../../features/counts/page-counts.ts';
import { type PairCounts, pairText, wordsOfPair } from '../../../features/counts/pair-tally.ts';
import type { StemCounts } from '../../../features/counts/stem-tally.ts';
import { formHash } from '../../../features/feature-hash.ts';
import { cutText } from '../../../lib/cut-text.ts';
import { KeyTable, key53 } from '../../../lib/keys/key-table.ts';
import type { ExtractedPage, PageLink, TextSpan } from '../../../page/extracted-page.ts';
import { type MarkSelectors, markSelectors, type WeightSpan } from '../../../page/marks/marks.ts';
import { encodeSpans } from '../../../store/blobs/page-spans.ts';
import { PlainText } from '../../../store/blobs/plain-text.ts';
import { wordForms } from '../../../text/lexicon.ts';
import { parseStopWords } from '../../../text/stop-words.ts';
import type { WordSequence } from '../../../text/word-sequence.ts';
import { ByteWriter } from '../../files/records/bytes.ts';
import { type Bigrams, packBigrams } from '../records/bigram-record.ts';
import { NO_COPY, packCopy } from '../records/copy-record.ts';
import {
  type FormCounts,
  type PageRecord,
  writeCaptures,
  writeNoindex,
  writePage,
} from '../records/page-record.ts';
import { type FormUse, type PageWords, packWords, unpackWords } from '../records/page-words.ts';
import { bucketOf, type ExtractSettings, type PackedRecords } from './extract-task.ts';
import { HeldWindows } from './held-windows.ts';

const MAX_ANCHOR_TEXT = 120;
/** Link URLs that a thread remembers to have sent: some 24 bytes each. */
const SENT_URLS = 1 << 20;
const NOTHING: Uint8Array = new Uint8Array(0);
const NO_KEYS = new Float64Array(0);
const NO_COUNTS: FormCounts = {
  keys: NO_KEYS,
  tfs: new Uint32Array(0),
  forms: new Uint32Array(0),
};

/** A capture without what is computed from its page. */
export type CaptureHead = Omit<
  PageRecord,
  | 'ownUrl'
  | 'title'
  | 'textDigest'
  | 'wordCount'
  | 'content'
  | 'titleWords'
  | 'headings'
  | 'bigrams'
  | 'links'
  | 'spans'
  | 'words'
  | 'copy'
>;

/** What stands where in the text of a page. */
interface PagePlaces {
  readonly links: readonly PageLink[];
  readonly headings: readonly TextSpan[];
  readonly weights: readonly WeightSpan[];
}

const NO_SPANS: PagePlaces = { links: [], headings: [], weights: [] };

/** What an index has made of a text. */
interface KnownText {
  readonly textDigest: Uint8Array;
  /** As `packCopy` packs it. */
  readonly copy: Uint8Array;
}

/** What is known of a page whose text is not kept. */
interface WordPage extends KnownText {
  readonly title: string;
  readonly links: readonly PageLink[];
  /** As `packWords` packs them. */
  readonly words: Uint8Array;
}

/** Bytes of records one after the other, with the bucket of each and where it ends. */
class Outbox {
  readonly out: ByteWriter;
  readonly #bucketCount: number;
  #buckets: number[] = [];
  #ends: number[] = [];

  constructor(bucketCount: number, capacity: number) {
    this.#bucketCount = bucketCount;
    this.out = new ByteWriter(capacity);
  }

  /** Ends the record written since the last call. */
  seal(key: number): void {
    this.#buckets.push(bucketOf(key, this.#bucketCount));
    this.#ends.push(this.out.length);
  }

  take(): PackedRecords {
    const taken = {
      bytes: this.out.take(),
      buckets: Uint16Array.from(this.#buckets),
      ends: Uint32Array.from(this.#ends),
    };
    this.#buckets = [];
    this.#ends = [];
    return taken;
  }
}

/** Makes the records of pages: counts their words, credits their links, sketches their texts. One serves a thread. */
export class RecordOutbox {
  /** Of the parts of pages that count. */
  readonly selectors: MarkSelectors;
  readonly declaredFields: ExtractSettings['fields'];
  readonly #settings: ExtractSettings;
  readonly #records: Outbox;
  readonly #forms: Outbox;
  readonly #linkUrls: Outbox;
  readonly #windows = new HeldWindows();
  readonly #plainText = new PlainText();
  readonly #analyzer: Analyzer;
  #sentUrls = new KeyTable();

  constructor(settings: ExtractSettings) {
    const { bucketCount, stopWords } = settings;
    this.#settings = settings;
    this.declaredFields = settings.fields;
    this.selectors = markSelectors(settings.body, settings.ignore);
    this.#records = new Outbox(bucketCount, 1 << 20);
    this.#forms = new Outbox(bucketCount, 1 << 16);
    this.#linkUrls = new Outbox(bucketCount, 1 << 16);
    this.#analyzer = new Analyzer({
      stopWords: stopWords === null ? null : parseStopWords(stopWords),
      spill: (forms) => {
        for (const { form, stem, key } of forms) {
          this.#forms.out.text(stem);
          this.#forms.out.text(form);
          this.#forms.seal(key);
        }
      },
    });
  }

  /** All records since the last call. */
  take(): { records: PackedRecords; forms: PackedRecords; linkUrls: PackedRecords } {
    this.#analyzer.drain();
    this.#windows.take((window, target, captures) => {
      this.#records.out.raw(window);
      writeCaptures(this.#records.out, captures);
      this.#records.seal(target);
    });
    return { records: this.#records.take(), forms: this.#forms.take(), linkUrls: this.#linkUrls.take() };
  }

  noindex(url: string, sequence: number): void {
    writeNoindex(this.#records.out, url, sequence);
    this.#records.seal(key53(url));
  }

  /** A page with its text; its links lead to other pages. */
  page(
    head: CaptureHead,
    page: Pick<ExtractedPage, 'title' | 'isPlain' | 'text' | 'lang' | 'headings' | 'weights'>,
    links: readonly PageLink[],
    known: KnownText | null,
  ): void {
    const { copies } = this.#settings;
    const tokens = known === null && copies !== null;
    const windows = this.#settings.links ? links : [];
    const counts = countPage(page, windows, this.#analyzer, { ...this.#settings, tokens });
    const isTextKept = copies?.keepText === true;
    const linkKeys = this.#linkKeys(links);
    for (const { link, counts: window } of counts.fragments) {
      const { tally: words, from, to } = window;
      const text = anchorText(page, links[link]!);
      const { target: url } = links[link]!;
      this.#windows.add({ url, anchorText: text, words, from, to }, linkKeys[link]!, head.sequence);
    }
    if (known === null) this.#plainText.set(page.title, page.text);
    const content = this.#formCounts(counts.content, counts.words);
    const headings = isTextKept && this.#settings.headings ? page.headings : [];
    const weights = isTextKept && page.weights !== undefined ? page.weights : [];
    this.#write(head, { links, headings, weights }, linkKeys, {
      title: page.title,
      textDigest: known?.textDigest ?? this.#plainText.digest(),
      wordCount: counts.wordCount,
      content,
      titleWords: this.#formCounts(counts.title, counts.titleWords),
      headings: counts.heading,
      bigrams:
        counts.bigram === null
          ? NOTHING
          : packBigrams(this.#bigramsOf(counts.bigram, counts.words), content.forms),
      words: this.#settings.keepWords ? packWords(this.#wordsOf(page, links, counts)) : NOTHING,
      copy: known?.copy ?? (copies === null ? NO_COPY : packCopy(this.#plainText, counts.tokens, copies)),
    });
  }

  /** A page without its text. */
  wordPage(head: CaptureHead, { title, textDigest, links, words, copy }: WordPage): void {
    const unpacked = unpackWords(words);
    const language = languageOf(head.lang);
    this.#analyzer.beginPage();
    const linkKeys = this.#linkKeys(links);
    for (const { link, anchorText, words } of this.#settings.links ? unpacked.windows : []) {
      const counts = this.#countsOf(words, language);
      const to = counts.keys.length;
      if (to === 0) continue;
      const { target: url } = links[link]!;
      this.#windows.add({ url, anchorText, words: counts, from: 0, to }, linkKeys[link]!, head.sequence);
    }
    const content = this.#countsOf(unpacked.content, language);
    this.#write(head, { ...NO_SPANS, links }, linkKeys, {
      title: unpacked.isUntitled ? '' : title,
      textDigest,
      wordCount: unpacked.wordCount,
      content,
      titleWords: this.#countsOf(unpacked.title, language),
      headings: this.#settings.headings ? this.#countsOf(unpacked.headings, language) : NO_COUNTS,
      bigrams: this.#settings.bigrams
        ? packBigrams(this.#bigramsOfUses(unpacked.bigrams, language, content), content.forms)
        : NOTHING,
      words,
      copy,
    });
  }

  /** A capture whose place another answer took: only what history shows of it. */
  past(head: CaptureHead, title: string, textDigest: Uint8Array, wordCount: number, copy: Uint8Array): void {
    this.#write(head, NO_SPANS, NO_KEYS, {
      title,
      textDigest,
      wordCount,
      content: NO_COUNTS,
      titleWords: NO_COUNTS,
      headings: NO_COUNTS,
      bigrams: NOTHING,
      words: NOTHING,
      copy,
    });
  }

  /** What the copy relation keeps of a text; the view is valid until the next call. */
  sketch(title: string, text: string): Uint8Array {
    const { copies } = this.#settings;
    if (copies === null) return NO_COPY;
    const counts = countPage({ title, text, lang: null }, [], this.#analyzer, { windowWords: 0 });
    this.#plainText.set(title, text);
    return packCopy(this.#plainText, counts.tokens, copies);
  }

  #write(
    head: CaptureHead,
    places: PagePlaces,
    links: Float64Array,
    made: Omit<PageRecord, keyof CaptureHead | 'ownUrl' | 'links' | 'spans'>,
  ): void {
    writePage(this.#records.out, { ...head, ...made, ownUrl: '', links, spans: encodeSpans(places) });
    this.#records.seal(key53(head.url));
  }

  /** `key53` of the target of each link. Its URL is sent once. */
  #linkKeys(links: readonly PageLink[]): Float64Array {
    const keys = new Float64Array(links.length);
    for (let i = 0; i < links.length; i++) {
      const { target } = links[i]!;
      const key = key53(target);
      keys[i] = key;
      if (this.#sentUrls.has(key)) continue;
      if (this.#sentUrls.size === SENT_URLS) this.#sentUrls = new KeyTable();
      this.#sentUrls.set(key, 1);
      this.#linkUrls.out.text(target);
      this.#linkUrls.seal(key);
    }
    return keys;
  }

  #formCounts({ keys, tfs, firsts }: StemCounts, words: WordSequence): FormCounts {
    return { keys, tfs, forms: this.#analyzer.formHashes(words, firsts) };
  }

  #bigramsOf({ lefts, rights, tfs, leftWords, rightWords }: PairCounts, words: WordSequence): Bigrams {
    const leftForms = this.#analyzer.formHashes(words, leftWords);
    const rightForms = this.#analyzer.formHashes(words, rightWords);
    return { lefts, rights, tfs, leftForms, rightForms };
  }

  #countsOf(uses: readonly FormUse[], language: Language): FormCounts {
    const kept = uses.flatMap(({ form, tf }) => {
      const stem = this.#analyzer.stemOf(form, language);
      return stem === null ? [] : [{ form, tf, key: key53(stem) }];
    });
    return {
      keys: Float64Array.from(kept, ({ key }) => key),
      tfs: Uint32Array.from(kept, ({ tf }) => tf),
      forms: Uint32Array.from(kept, ({ form }) => formHash(form)),
    };
  }

  /** Pairs of words that the content has too; `content` are its counts. */
  #bigramsOfUses(uses: readonly FormUse[], language: Language, content: FormCounts): Bigrams {
    const places = new Map(Array.from(content.keys, (key, place) => [key, place]));
    const found = uses.flatMap(({ form, tf }) => {
      const words = wordsOfPair(form);
      const [left, right] = words.map((word) => {
        const stem = this.#analyzer.stemOf(word, language);
        return stem === null ? undefined : places.get(key53(stem));
      });
      return left === undefined || right === undefined
        ? []
        : [{ left, right, tf, forms: words.map(formHash) }];
    });
    return {
      lefts: found.map(({ left }) => left),
      rights: found.map(({ right }) => right),
      tfs: Uint32Array.from(found, ({ tf }) => tf),
      leftForms: found.map(({ forms }) => forms[0]!),
      rightForms: found.map(({ forms }) => forms[1]!),
    };
  }

  #wordsOf(
    page: Pick<ExtractedPage, 'title' | 'text'>,
    links: readonly PageLink[],
    counts: PageCounts,
  ): PageWords {
    return {
      isUntitled: page.title === '',
      wordCount: counts.wordCount,
      content: formUses(counts.content, counts.words),
      title: formUses(counts.title, counts.titleWords),
      headings: formUses(counts.heading, counts.words),
      bigrams: counts.bigram === null ? [] : pairUses(counts.bigram, counts.words),
      windows: counts.fragments.map(({ link, counts: words }) => ({
        link,
        anchorText: anchorText(page, links[link]!),
        words: formUses(words, counts.words),
      })),
    };
  }
}

/** The text is tidied: a line break is the only white space in it that is no single space. */
function anchorText(page: Pick<ExtractedPage, 'text'>, { start, end }: PageLink): string {
  const text = cutText(page.text.slice(start, end), MAX_ANCHOR_TEXT);
  return text.includes('\n') ? text.replaceAll('\n', ' ') : text;
}

function formUses(counts: StemCounts, words: WordSequence): FormUse[] {
  const { tfs, firsts } = counts;
  const forms = wordForms();
  return Array.from(tfs, (tf, i) => ({ form: forms[words.numbers[firsts[i]!]!]!, tf }));
}

function pairUses({ tfs, leftWords, rightWords }: PairCounts, { numbers }: WordSequence): FormUse[] {
  const forms = wordForms();
  const formOf = (word: number) => forms[numbers[word]!]!;
  return Array.from(tfs, (tf, i) => ({ form: pairText(formOf(leftWords[i]!), formOf(rightWords[i]!)), tf }));
}
