import type { TextSpan } from './extracted-page.ts';

/**
 * Where the headings of a page stand, h1 left out: it says once more what the title says. One without end tag before the
 * next one is the line in which it begins.
 *
 * @param ends start and end of each that was met, ascending; -1 for the end of one without end tag.
 * @param text that of the whole page.
 * @returns those that have a text, ascending, each behind the one before.
 */
export function headingSpans(ends: Int32Array, text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let next = text.length;
  for (let i = ends.length - 2; i >= 0; i -= 2) {
    const from = ends[i]!;
    const start = text.startsWith('\n', from) ? from + 1 : from;
    const end = ends[i + 1]! < 0 ? lineEnd(text, start) : ends[i + 1]!;
    // An empty one without end tag stands where the next one does.
    if (start < Math.min(end, next)) spans.push({ start, end: Math.min(end, next) });
    next = Math.min(start, next);
  }
  return spans.reverse();
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
