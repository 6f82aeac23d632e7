import { workerData } from 'piscina';
import { Analyzer } from '../features/analyzer.ts';
import { countPage } from '../features/page-counts.ts';
import { builtInStopWords, parseStopWords } from '../features/stop-words.ts';
import { key53 } from '../lib/key-table.ts';
import { decodeBody } from '../page/decode.ts';
import { extractPage } from '../page/extract-page.ts';
import type { ExtractedPage } from '../page/extracted-page.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { ByteWriter } from './bytes.ts';
import { NO_COPY, packCopy, textDigest } from './copy-record.ts';
import {
  bucketOf,
  type ExtractCapture,
  type ExtractResult,
  type ExtractSettings,
  type ExtractTask,
  type Outcome,
} from './extract-task.ts';
import { type Counts, writeFragment, writeGone, writePage } from './page-record.ts';

/** Forms held before they are spilled: about 15 MB. */
const MAX_FORMS = 100_000;
const MAX_ANCHOR_TEXT = 120;

const settings = workerData as ExtractSettings;
const stopWords = settings.stopWords === null ? builtInStopWords() : parseStopWords(settings.stopWords);

const knownTexts = new Set(settings.knownTexts);

/** Bytes of records one after the other, with the bucket of each and where it ends. */
class Outbox {
  readonly out = new ByteWriter(1 << 20);
  readonly #buckets: number[] = [];
  readonly #ends: number[] = [];

  /** Ends the record written since the last call. */
  seal(key: number): void {
    this.#buckets.push(bucketOf(key, settings.bucketCount));
    this.#ends.push(this.out.length);
  }

  take() {
    return {
      bytes: this.out.take(),
      buckets: Uint16Array.from(this.#buckets),
      ends: Uint32Array.from(this.#ends),
    };
  }
}

/** Turns a batch of captures into records. The result depends on the batch alone. */
export default function extractBatch(task: ExtractTask): ExtractResult {
  const records = new Outbox();
  const vocabulary = new Outbox();
  const analyzer = new Analyzer({
    stopWords,
    maxForms: MAX_FORMS,
    spill(forms) {
      for (const { form, stem, count } of forms) {
        vocabulary.out.text(stem);
        vocabulary.out.text(form);
        vocabulary.out.varint(count);
        vocabulary.seal(key53(stem));
      }
    },
  });
  const outcomes = task.captures.map((capture) => {
    const body = task.bodies.subarray(capture.start, capture.end);
    return extractCapture(capture, body, analyzer, records);
  });
  analyzer.drain();
  const { bytes, buckets, ends } = records.take();
  const forms = vocabulary.take();
  return {
    outcomes,
    records: bytes,
    buckets,
    ends,
    forms: forms.bytes,
    formBuckets: forms.buckets,
    formEnds: forms.ends,
  };
}

function extractCapture(
  capture: ExtractCapture,
  body: Uint8Array,
  analyzer: Analyzer,
  records: Outbox,
): Outcome {
  const { sequence } = capture;
  const url = canonicalUrl(capture.url);
  const skip = (reason: 'url' | 'empty' | 'binary' | 'noindex' | 'status', detail: string): Outcome => ({
    kind: 'skip',
    sequence,
    url: url ?? capture.url,
    reason,
    detail,
    fetchedAtMs: capture.fetchedAtMs,
  });
  if (url === null) return skip('url', 'not an http(s) URL');
  if (capture.status >= 300 && capture.status < 400) {
    const to = capture.location === null ? null : canonicalUrl(capture.location, url);
    if (to === null) return skip('status', `a redirect (${capture.status}) without a usable Location`);
    return to === url
      ? skip('status', 'a redirect to itself')
      : { kind: 'redirect', sequence, url, to, fetchedAtMs: capture.fetchedAtMs };
  }
  if (body.length === 0) return skip('empty', 'no body');
  const decoded = decodeBody(body, capture.charset);
  if (decoded === null) return skip('binary', 'the body is not text');

  const page = withCapture(extractPage(decoded.text, capture.mediaType, url), capture, url);
  const counts = countPage(page, analyzer, { windowWords: settings.windowWords });
  const targets = page.links.map((link) => canonicalUrl(link.target));
  if (settings.anchors) {
    for (const fragment of counts.fragments) {
      const target = targets[fragment.link];
      if (target === null || target === undefined || target === url) continue;
      const { start, end } = page.links[fragment.link]!;
      const anchorText = page.text.slice(start, end).replace(/\s+/g, ' ').trim().slice(0, MAX_ANCHOR_TEXT);
      writeFragment(records.out, { url: target, sequence, anchorText, words: toCounts(fragment.counts) });
      records.seal(key53(target));
    }
  }
  if (page.noindex) {
    writeGone(records.out, url);
    records.seal(key53(url));
    return skip('noindex', 'the page asks not to be indexed');
  }
  const digest = textDigest(page.title, page.text);
  const isCompared = settings.copies !== null && !knownTexts.has(digest.toString('hex'));
  writePage(records.out, {
    url,
    sequence,
    fetchedAtMs: capture.fetchedAtMs,
    title: page.title,
    lang: page.lang ?? '',
    mediaType: capture.mediaType ?? 'text/html',
    charset: decoded.charset,
    bodyBytes: body.length,
    textDigest: digest,
    wordCount: counts.wordCount,
    content: toCounts(counts.content),
    titleWords: toCounts(counts.title),
    links: Float64Array.from(
      targets.filter((target) => target !== null && target !== url).map((t) => key53(t!)),
    ),
    copy: isCompared ? packCopy(page.title, page.text, settings.copies!) : NO_COPY,
  });
  records.seal(key53(url));
  const canonical = page.canonical === null ? null : canonicalUrl(page.canonical);
  return {
    kind: 'page',
    sequence,
    url,
    canonical: canonical === url ? null : canonical,
    fetchedAtMs: capture.fetchedAtMs,
    bodyBytes: body.length,
  };
}

/** What the source and the HTTP headers say goes before what the page says. */
function withCapture(page: ExtractedPage, capture: ExtractCapture, url: string): ExtractedPage {
  const robots = capture.robots ?? '';
  const none = /\bnone\b/.test(robots);
  const links = capture.links
    .map((link) => canonicalUrl(link, url))
    .filter((target) => target !== null)
    .map((target) => ({ target, start: page.text.length, end: page.text.length, nofollow: true }));
  return {
    ...page,
    title: capture.title ?? page.title,
    lang: page.lang ?? capture.lang?.split(/[-,;]/)[0]?.trim().toLowerCase() ?? null,
    canonical: (capture.canonical === null ? null : canonicalUrl(capture.canonical, url)) ?? page.canonical,
    noindex: page.noindex || none || /\bnoindex\b/.test(robots),
    nofollow: page.nofollow || none || /\bnofollow\b/.test(robots),
    links: links.length === 0 ? page.links : [...page.links, ...links],
  };
}

function toCounts(counts: ReadonlyMap<string, number>): Counts {
  const keys = new Float64Array(counts.size);
  const tfs = new Uint32Array(counts.size);
  let i = 0;
  for (const [stem, tf] of counts) {
    keys[i] = key53(stem);
    tfs[i++] = tf;
  }
  return { keys, tfs };
}
