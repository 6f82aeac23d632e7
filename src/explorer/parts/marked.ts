import { type Html, html } from '../../service/http/markup.ts';

/** A text with some of its ranges marked: UTF-16 units, end exclusive; those that overlap count as far as they are new. */
export function marked(text: string, ranges: readonly (readonly number[])[]): Html {
  const pieces: Html[] = [];
  let end = 0;
  for (const [from = 0, to = 0] of ranges.toSorted((one, other) => one[0]! - other[0]!)) {
    const start = Math.max(from, end);
    if (to <= start) continue;
    pieces.push(html`${text.slice(end, start)}<mark>${text.slice(start, to)}</mark>`);
    end = to;
  }
  return html`${pieces}${text.slice(end)}`;
}
