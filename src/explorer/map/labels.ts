/** Finds room for names beside points, so that no two overlap; a name without room is left out. */
import type { Point } from './layout.ts';

export interface Disc extends Point {
  readonly radius: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where the text of a label starts or ends, and on which side of its disc. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Of a letter of the font, on average; wide scripts take about twice that. */
const CHAR_WIDTH = 0.63;
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g;
const GAP = 4;

/** `texts` in the order of their weight, each list with shorter ones than the one before; null where there is no room. */
export function placeLabels(
  discs: readonly Disc[],
  texts: readonly (readonly string[])[],
  frame: Box,
  fontSize: number,
): (Label | null)[] {
  const taken: Box[] = discs.map(({ x, y, radius }) => around(x, y, radius, radius));
  return discs.map((disc, i) => {
    for (const [label, box] of texts.flatMap((list) => [...placesFor(disc, list[i]!, fontSize)])) {
      const own = taken[i]!;
      if (!isWithin(box, frame) || taken.some((other) => other !== own && overlap(box, other))) continue;
      taken.push(box);
      return label;
    }
    return null;
  });
}

export function textWidth(text: string, fontSize: number): number {
  return fontSize * CHAR_WIDTH * (text.length + (text.match(WIDE)?.length ?? 0));
}

/** Right, left, below, above. */
function* placesFor({ x, y, radius }: Disc, text: string, fontSize: number): Generator<[Label, Box]> {
  const width = textWidth(text, fontSize);
  const [half, base] = [fontSize * 0.6, fontSize * 0.35];
  const side = radius + GAP;
  yield [
    { text, x: x + side, y: y + base, anchor: 'start' },
    around(x + side + width / 2, y, width / 2, half),
  ];
  yield [{ text, x: x - side, y: y + base, anchor: 'end' }, around(x - side - width / 2, y, width / 2, half)];
  for (const way of [1, -1]) {
    const middle = y + way * (radius + half + 1);
    yield [{ text, x, y: middle + base, anchor: 'middle' }, around(x, middle, width / 2, half)];
  }
}

const around = (x: number, y: number, dx: number, dy: number): Box => ({
  left: x - dx,
  right: x + dx,
  top: y - dy,
  bottom: y + dy,
});

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const isWithin = (box: Box, frame: Box): boolean =>
  box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
