import type { PageLink } from '../../../page/extracted-page.ts';
import { capturedPage, decodedCapture, fieldsOf } from '../../../sources/record/captured-page.ts';
import { canonicalUrl, MAX_URL_LENGTH } from '../../../url/canonical-url.ts';
import { packCard } from '../records/card-record.ts';
import type { CaptureBatch, ExtractCapture, Outcome } from './extract-task.ts';
import type { CanonicalLink, RecordOutbox } from './record-outbox.ts';

/** Why a URL cannot name a page. */
function badUrlText({ length }: string): string {
  return length > MAX_URL_LENGTH
    ? `a URL of ${length} characters; ${MAX_URL_LENGTH} are the most`
    : 'not an http(s) URL';
}

/** Leaves the records of captures in the outbox and tells what became of each. */
export function extractCaptures({ captures, bodies }: CaptureBatch, outbox: RecordOutbox): Outcome[] {
  return captures.map((capture) =>
    extractCapture(capture, bodies.subarray(capture.start, capture.end), outbox),
  );
}

function extractCapture(capture: ExtractCapture, body: Uint8Array, outbox: RecordOutbox): Outcome {
  const { sequence, sweepId, fetchedAtMs } = capture;
  const reading = { endsAtNoindex: true, selectors: outbox.selectors };
  const url = canonicalUrl(capture.url);
  const origin = { url: url ?? capture.url, sequence, sweepId, fetchedAtMs };
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
  if (body.length === 0 && capture.features === '' && capture.vectors === '') return skip('empty', 'no body');
  const decoded = decodedCapture(body, capture);
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
    bodyBytes: body.length,
    canonical: to ?? '',
    features: capture.features,
    vectors: capture.vectors,
    fields,
    card: packCard(page.card()),
  };
  const { kept, droppedCount } = page.links();
  outbox.page(head, page, canonicalLinks(kept, page.nofollow, url), null);
  const { features, badFeatures, vectors, badVectors } = capture;
  const has = { hasFeatures: features !== '', hasVectors: vectors !== '' };
  const counts = { ...has, badFeatures, badVectors, badFields, marks: page.marks };
  const bytes = { bodyBytes: body.length, droppedLinkCount: droppedCount };
  return { ...origin, kind: 'page', to, ...namesOf(capture, url), ...bytes, ...counts };
}

/** Other URLs under which servers show a file: its own, and that of a folder without the slash. */
function namesOf({ fileUrl }: ExtractCapture, url: string): Pick<Outcome, 'names'> {
  const own = fileUrl === null ? null : canonicalUrl(fileUrl);
  if (own === null) return {};
  const bare = url.slice(0, -1);
  return { names: url.endsWith('/') && new URL(bare).pathname !== '/' ? [own, bare] : [own] };
}

/** Links that lead to another page, by canonical URLs. */
function canonicalLinks(links: readonly PageLink[], nofollow: boolean, pageUrl: string): CanonicalLink[] {
  return links.flatMap((link) => {
    const target = canonicalUrl(link.target);
    if (target === null || target === pageUrl) return [];
    return [{ ...link, target, nofollow: link.nofollow || nofollow }];
  });
}
