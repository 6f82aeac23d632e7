import { type DecodedText, decodedText } from '../../../page/decode.ts';
import type { PageLink } from '../../../page/extracted-page.ts';
import type { JsonPage } from '../../../page/html/html-kernel.ts';
import { lineRecord } from '../../../sources/jsonl.ts';
import { capturedPage, decodedCapture, fieldsOf } from '../../../sources/record/captured-page.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import { badUrlText } from '../../../url/bad-url.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { packCard } from '../records/card-record.ts';
import type { CaptureBatch, ExtractCapture, ExtractResult, LineBatch, Outcome } from './extract-task.ts';
import type { RecordOutbox } from './record-outbox.ts';

/** Leaves the records of captures in the outbox and tells what became of each. */
export function extractCaptures({ captures, bodies }: CaptureBatch, outbox: RecordOutbox): Outcome[] {
  return captures.map((capture) => {
    const body = bodies.subarray(capture.start, capture.end);
    return extractCapture(capture, body.length, () => decodedCapture(body, capture), outbox);
  });
}

/** The same of lines of JSON, of which some are no captures. */
export function extractLines(batch: LineBatch, outbox: RecordOutbox): ExtractResult['outcomes'] {
  const { sweepId, firstSequence, numbers, ends, bytes } = batch;
  return numbers.map((number, i) => {
    const record = lineRecord(bytes.subarray(ends[i - 1] ?? 0, ends[i]), number, batch);
    if (record === null) return null;
    if (record.kind === 'fault') return { ...record, sweepId };
    const { text, bodyBytes } = record;
    const fetchedAtMs = record.fetchedAtMs ?? UNDATED_MS;
    const capture = { ...record, sequence: firstSequence + i, sweepId, fetchedAtMs };
    return extractCapture(capture, bodyBytes, () => decodedText(text), outbox);
  });
}

/** @param decode gives null for what is no text. */
function extractCapture(
  capture: Omit<ExtractCapture, 'start' | 'end'>,
  bodyBytes: number,
  decode: () => DecodedText<string | JsonPage> | null,
  outbox: RecordOutbox,
): Outcome {
  const { sequence, sweepId, fetchedAtMs } = capture;
  const reading = { endsAtNoindex: true, selectors: outbox.selectors };
  const url = canonicalUrl(capture.url);
  const { unknownMembers } = capture;
  const origin = { url: url ?? capture.url, sequence, sweepId, fetchedAtMs, unknownMembers };
  const skip = (reason: 'url' | 'empty' | 'binary' | 'status', detail: string): Outcome => ({
    ...origin,
    kind: 'skip',
    reason,
    detail,
  });
  if (url === null) return skip('url', badUrlText(capture.url));
  if (capture.status >= 300 && capture.status < 400) {
    const to = capture.location === null ? null : canonicalUrl(capture.location, url);
    if (to === null) return skip('status', `a redirect (${capture.status}) without a usable Location`);
    return to === url ? skip('status', 'a redirect to itself') : { ...origin, kind: 'redirect', to };
  }
  // An empty text that a record gives is the text of a page: one of its title.
  if (bodyBytes === 0 && !capture.isText) return skip('empty', 'no body');
  const decoded = decode();
  if (decoded === null) return skip('binary', 'the body is not text');

  const page = capturedPage(decoded.text, capture, url, reading);
  if (page.noindex) {
    outbox.noindex(url, sequence);
    return { ...origin, kind: 'noindex' };
  }
  const canonical = page.canonical === null ? null : canonicalUrl(page.canonical);
  const to = canonical === url ? null : canonical;
  const { fields, badFields } = fieldsOf(capture, page, outbox.declaredFields);
  const head = {
    url,
    sequence,
    sweepId,
    fetchedAtMs,
    lang: page.lang ?? '',
    mediaType: capture.mediaType ?? (page.isPlain ? 'text/plain' : 'text/html'),
    charset: decoded.charset,
    bodyBytes,
    canonical: to ?? '',
    features: capture.features,
    vectors: capture.vectors,
    fields,
    card: packCard(page.card()),
  };
  const { kept, droppedCount } = page.links();
  outbox.page(head, page, otherLinks(kept, page.nofollow, url), null);
  const { features, badFeatures, vectors, badVectors, badDates } = capture;
  const has = { hasFeatures: features !== '', hasVectors: vectors !== '' };
  const counts = { ...has, badFeatures, badVectors, badFields, badDates, marks: page.marks };
  const bytes = { bodyBytes, droppedLinkCount: droppedCount };
  return { ...origin, kind: 'page', to, ...namesOf(capture, url), ...bytes, ...counts };
}

/** Other URLs under which servers show a file: its own, and that of a folder without the slash. */
function namesOf({ fileUrl }: Pick<ExtractCapture, 'fileUrl'>, url: string): Pick<Outcome, 'names'> {
  const own = fileUrl === null ? null : canonicalUrl(fileUrl);
  if (own === null) return {};
  const bare = url.slice(0, -1);
  return { names: url.endsWith('/') && new URL(bare).pathname !== '/' ? [own, bare] : [own] };
}

/** Links that lead to another page. */
function otherLinks(links: readonly PageLink[], nofollow: boolean, pageUrl: string): readonly PageLink[] {
  const others = links.filter(({ target }) => target !== pageUrl);
  return nofollow ? others.map((link) => ({ ...link, nofollow })) : others;
}
