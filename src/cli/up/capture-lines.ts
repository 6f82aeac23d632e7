import { unpackFeatures } from '../../features/own-features.ts';
import { unpackVectors } from '../../features/vectors.ts';
import { ROBOT } from '../../page/document-facts.ts';
import { readAs } from '../../page/extract-page.ts';
import { unpackFields } from '../../page/fields/page-fields.ts';
import { robotsRules } from '../../page/robots-rules.ts';
import { unknownFault } from '../../sources/jsonl.ts';
import { GONE_STATUSES } from '../../sources/record/answers.ts';
import { decodedCapture } from '../../sources/record/captured-page.ts';
import type { Capture, SkipReason, Source, SourceItem } from '../../sources/record/record.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';

/** Of what is no page, and is not meant to be one. */
const NO_PAGES: readonly SkipReason[] = ['status', 'media_type', 'revisit', 'redirect', 'noindex'];

/**
 * The pages of a source as records of JSON, one a line, and what is none any more; `leftOut` is called with what was none before, and
 * with what would not be handed over whole: then a page is lost.
 *
 * @param handed the URLs of pages that were handed over before; takes those of this source.
 */
export async function* captureLines(
  source: Source,
  leftOut: (text: string, isLost: boolean) => void,
  handed: Set<string>,
): AsyncGenerator<string> {
  for await (const item of source.items()) {
    const line = item.kind === 'fault' ? null : captureLine(item);
    const loss = item.kind === 'fault' ? null : lossOf(item);
    const key = canonicalUrl(item.url ?? '');
    if (loss !== null) leftOut(`${item.url}: ${loss}`, true);
    else if (line !== null) {
      if (key !== null) handed.add(key);
      yield line;
    } else if (key !== null && handed.has(key) && isNoPage(item)) {
      yield goneLine(key, item.fetchedAtMs ?? null);
    } else if (item.kind === 'fault') {
      leftOut(`${item.where}: ${item.detail}`, !NO_PAGES.includes(item.reason));
    } else leftOut(`${item.url}: ${whyNone(item)}`, false);
  }
}

/** Whether an item says of its URL that no page is there, as a build understands it: it is gone, leads elsewhere or asks not to be indexed. */
export function isNoPage(item: SourceItem): boolean {
  if (item.kind === 'fault') return GONE_STATUSES.has(item.status);
  const { url, location, robots } = item;
  if (location === null) return robotsRules(robots, ROBOT).noindex;
  const to = canonicalUrl(location, url);
  return to !== null && to !== canonicalUrl(url);
}

export function goneLine(url: string, fetchedAtMs: number | null): string {
  const date = fetchedAtMs === null ? {} : { fetched_at: new Date(fetchedAtMs).toISOString() };
  return JSON.stringify({ url, status: 410, ...date });
}

/** Why `captureLine` is null. */
function whyNone({ location, robots }: Capture): string {
  if (location !== null) return `it leads to ${location}`;
  return robotsRules(robots, ROBOT).noindex ? 'it asks not to be indexed' : 'it is not text';
}

/** What a record says that its line would not say; null for nothing. */
function lossOf({
  badFeatures,
  badFields,
  badVectors,
  badDates,
  unknownMembers = [],
}: Capture): string | null {
  const unknown = unknownMembers[0];
  return (
    badFields ??
    (badFeatures === null ? null : `features: ${badFeatures}`) ??
    badVectors ??
    badDates ??
    (unknown === undefined ? null : unknownFault(unknown))
  );
}

/** Null for a redirect, for bytes that are no text, and for a page that asks not to be indexed. */
export function captureLine(capture: Capture): string | null {
  const { url, location, mediaType, title, lang, links, card, fetchedAtMs, canonical, fileUrl } = capture;
  const decoded = decodedCapture(capture.body, capture);
  const { noindex, nofollow } = robotsRules(capture.robots, ROBOT);
  if (location !== null || decoded === null || noindex) return null;
  const type = readAs(decoded.text, mediaType);
  const features = unpackFeatures(capture.features);
  // Whole numbers stay as they are when they are read again.
  const vectors = Object.entries(unpackVectors(capture.vectors)).map(([name, one]) => [
    name,
    Array.from(one),
  ]);
  const fields = unpackFields(capture.fields);
  return JSON.stringify({
    url,
    [type === 'text/plain' ? 'text' : 'html']: decoded.text,
    ...(type === 'application/xhtml+xml' && { media_type: type }),
    ...(title !== null && { title }),
    ...(lang !== null && { lang }),
    ...(links.length > 0 && { links }),
    ...(canonical !== null && { canonical }),
    ...(nofollow && { robots: 'nofollow' }),
    ...(fileUrl !== null && { file_url: fileUrl }),
    ...(fetchedAtMs !== null && { fetched_at: new Date(fetchedAtMs).toISOString() }),
    ...(Object.keys(features).length > 0 && { features }),
    ...(vectors.length > 0 && { vectors: Object.fromEntries(vectors) }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(card !== null && {
      image: card.image,
      description: card.description,
      published_at: card.publishedAt,
      modified_at: card.modifiedAt,
    }),
  });
}
