/** Passages that two texts share: marked in both, each a link to its twin, and drawn as ribbons between two bars. */
import { cutPlace } from '../../lib/cut-text.ts';
import { type Html, html } from '../../service/http/markup.ts';
import { count } from './figures.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** One of the two texts. */
export interface Side {
  readonly name: 'a' | 'b';
  /** UTF-16 units. */
  readonly length: number;
  /** Of all passages, in the order that both sides have in common. */
  readonly spans: readonly Span[];
}

interface Piece extends Span {
  /** Number of the passage, or -1 for what is on this side alone. */
  readonly passage: number;
}

/** A longer stretch of text that stands in one text alone is folded up, except for its ends. */
const FOLD_FROM = 420;
const FOLD_ENDS = 150;

/** Cuts a text where passages begin and end; of passages that overlap, the later begins where the earlier ends. */
export function piecesOf(spans: readonly Span[], length: number): Piece[] {
  const order = spans
    .map((span, passage) => ({ ...span, passage }))
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const pieces: Piece[] = [];
  let end = 0;
  for (const { passage, ...span } of order) {
    const [start, stop] = [Math.max(span.start, end), Math.min(span.end, length)];
    if (stop <= start) continue;
    if (start > end) pieces.push({ start: end, end: start, passage: -1 });
    pieces.push({ start, end: stop, passage });
    end = stop;
  }
  if (end < length) pieces.push({ start: end, end: length, passage: -1 });
  return pieces;
}

/** `text` is the beginning of the text of `side`, of `twin` no more than `twinChars` are shown. */
export function passageText(text: string, side: Side, twin: Side, twinChars: number): Html {
  const twins = piecesOf(twin.spans, Math.min(twin.length, twinChars)).filter(({ passage }) => passage >= 0);
  return html`${piecesOf(side.spans, text.length).map(({ start, end, passage }) => {
    const piece = text.slice(start, end);
    if (passage < 0) return folded(piece);
    const marked = html`<mark id="${side.name}-${passage}">${piece}</mark>`;
    // Of passages that overlap over there, the one that covers where this one begins.
    const from = twin.spans[passage]!.start;
    const target = twins.find((one) => one.start <= from && from < one.end);
    return target === undefined ? marked : html`<a href="#${twin.name}-${target.passage}">${marked}</a>`;
  })}`;
}

function folded(text: string): Html {
  if (text.length <= FOLD_FROM) return html`${text}`;
  // Between two words, if what is kept has more than one.
  const from = /^.*\s/s.exec(text.slice(0, FOLD_ENDS))?.[0].length ?? cutPlace(text, FOLD_ENDS);
  const last = /\s(.*)$/s.exec(text.slice(-FOLD_ENDS))?.[1]?.length ?? FOLD_ENDS;
  const to = cutPlace(text, text.length - last);
  return html`${text.slice(0, from)}<details class="gap"><summary>${count(to - from)} characters that only this page has</summary>${text.slice(from, to)}</details>${text.slice(to)}`;
}

const WIDTH = 1000;
const HEIGHT = 64;
const BAR_HEIGHT = 10;

/** Two bars, a above b, and between them a ribbon for each passage from its place in a to its place in b. */
export function passageMap(a: Side, b: Side): Html {
  const ribbons = a.spans.map((span, passage) => {
    const [left, right] = placeOf(span, a.length);
    const [twinLeft, twinRight] = placeOf(b.spans[passage]!, b.length);
    const bottom = HEIGHT - BAR_HEIGHT;
    const shape = `M${left} 0H${right}V${BAR_HEIGHT}L${twinRight} ${bottom}V${HEIGHT}H${twinLeft}V${bottom}L${left} ${BAR_HEIGHT}Z`;
    return html`<a href="#a-${passage}" tabindex="-1"><path class="ribbon" d="${shape}"/></a>`;
  });
  return html`<figure class="ribbons"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="${WIDTH}" height="${BAR_HEIGHT}"/><rect class="ground" y="${HEIGHT - BAR_HEIGHT}" width="${WIDTH}" height="${BAR_HEIGHT}"/>${ribbons}</svg>
<figcaption class="hidden">A above, B below; a band for each shared passage.</figcaption></figure>`;
}

/** Never narrower than what is seen. */
function placeOf({ start, end }: Span, length: number): [left: number, right: number] {
  const left = Math.round((WIDTH * start) / length);
  return [left, Math.max(left + 2, Math.round((WIDTH * end) / length))];
}
