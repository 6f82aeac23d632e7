import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { Analyzer } from '../../features/analyzer.ts';
import { countPage } from '../../features/page-counts.ts';
import { key53 } from '../../lib/key-table.ts';
import { decodeBody } from '../../page/decode.ts';
import { extractPage } from '../../page/extract-page.ts';
import { type ExtractedPage, MAX_LINKS, type PageLinks } from '../../page/extracted-page.ts';
import { PlainText } from '../../store/blobs/plain-text.ts';
import { builtInStopWords, parseStopWords } from '../../text/stop-words.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { ByteWriter } from '../files/bytes.ts';
import { NO_COPY, packCopy } from './copy-record.ts';
import {
  bucketOf,
  type ExtractCapture,
  type ExtractResult,
  type ExtractSettings,
  type ExtractTask,
  type Outcome,
} from './extract-task.ts';
import { writeFragment, writeGone, writePage } from './page-record.ts';

const MAX_ANCHOR_TEXT = 120;

const settings = workerData as ExtractSettings;
const stopWords = settings.stopWords === null ? builtInStopWords() : parseStopWords(settings.stopWords);

const knownTexts = new Set(settings.knownTexts);

/** Bytes of records one after the other, with the bucket of each and where it ends. */
class Outbox {
  readonly out = new ByteWriter(1 << 20);
  #buckets: number[] = [];
  #ends: number[] = [];

  /** Ends the record written since the last call. */
  seal(key: number): void {
    this.#buckets.push(bucketOf(key, settings.bucketCount));
    this.#ends.push(this.out.length);
  }

  take() {
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

const plainText = new PlainText();
const records = new Outbox();
const vocabulary = new Outbox();
/** Drained with each batch; the stems of one serve the next. */
const analyzer = new Analyzer({
  stopWords,
  spill(forms) {
    for (const { form, stem, key, count } of forms) {
      vocabulary.out.text(stem);
      vocabulary.out.text(form);
      vocabulary.out.varint(count);
      vocabulary.seal(key);
    }
  },
});

/** Turns a batch of captures into records, an ExtractResult. The result depends on the batch alone. */
export default function extractBatch(task: ExtractTask) {
  const outcomes = task.captures.map((capture) => {
    const body = task.bodies.subarray(capture.start, capture.end);
    return extractCapture(capture, body);
  });
  analyzer.drain();
  const { bytes, buckets, ends } = records.take();
  const forms = vocabulary.take();
  const result: ExtractResult = {
    outcomes,
    records: bytes,
    buckets,
    ends,
    forms: forms.bytes,
    formBuckets: forms.buckets,
    formEnds: forms.ends,
  };
  // Handed over, not copied.
  return move({ [transferableSymbol]: [bytes.buffer, forms.bytes.buffer], [valueSymbol]: result });
}

function extractCapture(capture: ExtractCapture, body: Uint8Array): Outcome {
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
  const links = page.links().kept;
  const counts = countPage(page, page.nofollow ? [] : links, analyzer, { windowWords: settings.windowWords });
  const targets = links.map((link) => linkTarget(link.target, url));
  if (settings.anchors) {
    for (const fragment of counts.fragments) {
      const target = targets[fragment.link];
      if (target === null || target === undefined) continue;
      const { start, end } = links[fragment.link]!;
      // The text is tidied: a line break is the only white space in it that is no single space.
      const anchorText = page.text.slice(start, end).replaceAll('\n', ' ').slice(0, MAX_ANCHOR_TEXT);
      writeFragment(records.out, { url: target.url, sequence, anchorText, words: fragment.counts });
      records.seal(target.key);
    }
  }
  if (page.noindex) {
    writeGone(records.out, url);
    records.seal(key53(url));
    return skip('noindex', 'the page asks not to be indexed');
  }
  plainText.set(page.title, page.text);
  const digest = plainText.digest();
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
    content: counts.content,
    titleWords: counts.title,
    links: Float64Array.from(targets.filter((target) => target !== null).map((target) => target.key)),
    copy: isCompared ? packCopy(plainText, counts.tokens, settings.copies!) : NO_COPY,
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

/** Where a link leads, by URL and key; null for nowhere and for its own page. */
function linkTarget(link: string, pageUrl: string): { url: string; key: number } | null {
  const url = canonicalUrl(link);
  return url === null || url === pageUrl ? null : { url, key: key53(url) };
}

/** What the source and the HTTP headers say goes before what the page says. */
function withCapture(page: ExtractedPage, capture: ExtractCapture, url: string): ExtractedPage {
  const robots = capture.robots ?? '';
  const none = /\bnone\b/.test(robots);
  return {
    ...page,
    title: capture.title ?? page.title,
    lang: page.lang ?? capture.lang?.split(/[-,;]/)[0]?.trim().toLowerCase() ?? null,
    canonical: (capture.canonical === null ? null : canonicalUrl(capture.canonical, url)) ?? page.canonical,
    noindex: page.noindex || none || /\bnoindex\b/.test(robots),
    nofollow: page.nofollow || none || /\bnofollow\b/.test(robots),
    links: () => withLinks(page.links(), capture, url, page.text.length),
  };
}

/** The links that the source gives come behind those of the page, at the end of its text. */
function withLinks(links: PageLinks, capture: ExtractCapture, url: string, end: number): PageLinks {
  const room = MAX_LINKS - links.kept.length;
  const given = capture.links
    .slice(0, room)
    .map((link) => canonicalUrl(link, url))
    .filter((target) => target !== null)
    .map((target) => ({ target, start: end, end, nofollow: true }));
  const droppedCount = links.droppedCount + Math.max(0, capture.links.length - room);
  return { kept: [...links.kept, ...given], droppedCount };
}
