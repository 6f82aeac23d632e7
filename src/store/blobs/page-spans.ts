import type { TextSpan } from '../../page/extracted-page.ts';
import type { WeightSpan } from '../../page/marks/marks.ts';
import { brokenBlob, VarintReader, writeVarint } from './varint.ts';

/**
 * Where the links of a page stand in its text, those with no words around them one behind its end; behind them where its
 * headings stand, and where the page has parts with weights, behind two zeros where those stand:
 *
 *   link      start less that of the link before (d as 2d, or as -2d - 1 where it is negative)
 *             | 2 · length, and 1 more where it credits no page
 *   heading   start less the end of the heading before | length, which is never 0
 *   weight    start less the end of the part before | length | times that each word counts
 *
 * All numbers are varints. A page has as many links as it has targets, see page-input.ts.
 */
interface PageSpans {
  /** In document order. */
  readonly links: readonly (TextSpan & { readonly nofollow: boolean })[];
  /** Ascending, each behind the one before. */
  readonly headings: readonly TextSpan[];
  /** The same of parts whose words count several times. */
  readonly weights: readonly WeightSpan[];
}

/** Errors  RangeError for spans that are not as `PageSpans` says: they could not be read back. */
export function encodeSpans({ links, headings, weights }: PageSpans): Uint8Array {
  const bytes = new Uint8Array(10 * (links.length + headings.length) + 12 * weights.length + 2);
  let at = 0;
  let before = 0;
  for (const { start, end, nofollow } of links) {
    const d = start - before;
    at = writeVarint(bytes, at, d >= 0 ? 2 * d : -2 * d - 1);
    at = writeVarint(bytes, at, 2 * lengthOf(start, end) + (nofollow ? 1 : 0));
    before = start;
  }
  before = 0;
  for (const { start, end } of headings) {
    at = writeVarint(bytes, at, lengthOf(before, start));
    at = writeVarint(bytes, at, lengthOf(start, end));
    before = end;
  }
  // Two zeros: the array has them.
  if (weights.length > 0) at += 2;
  before = 0;
  for (const { start, end, weight } of weights) {
    at = writeVarint(bytes, at, lengthOf(before, start));
    at = writeVarint(bytes, at, lengthOf(start, end));
    at = writeVarint(bytes, at, weight);
    before = end;
  }
  return bytes.subarray(0, at);
}

function lengthOf(start: number, end: number): number {
  if (start >= 0 && end >= start) return end - start;
  throw new RangeError(`a span from ${start} to ${end} stands before its place`);
}

/** Errors  CorruptError AKIN_ERR_INDEX_CORRUPT where the bytes end too early, or a link begins before the text. */
export function decodeSpans(bytes: Uint8Array, linkCount: number): PageSpans {
  const from = new VarintReader(bytes);
  let start = 0;
  const links = Array.from({ length: linkCount }, () => {
    const d = from.next();
    start += d % 2 === 0 ? d / 2 : -(d + 1) / 2;
    const length = from.next();
    if (start < 0) throw brokenBlob('page_input');
    return { start, end: start + Math.floor(length / 2), nofollow: length % 2 === 1 };
  });
  const headings: TextSpan[] = [];
  const weights: WeightSpan[] = [];
  let end = 0;
  let isOfWeights = false;
  while (from.at < bytes.length) {
    const gap = from.next();
    const length = from.next();
    if (!isOfWeights && gap === 0 && length === 0) {
      isOfWeights = true;
      end = 0;
      continue;
    }
    const span = { start: end + gap, end: end + gap + length };
    if (isOfWeights) weights.push({ ...span, weight: from.next() });
    else headings.push(span);
    end = span.end;
  }
  if (from.at > bytes.length) throw brokenBlob('page_input');
  return { links, headings, weights };
}

/** The keys of the links that credit their targets. */
export function followedLinks({
  links,
  spans,
}: {
  readonly links: Float64Array;
  readonly spans: Uint8Array;
}): Float64Array {
  const from = new VarintReader(spans);
  return links.filter(() => {
    from.next();
    return from.next() % 2 === 0;
  });
}
