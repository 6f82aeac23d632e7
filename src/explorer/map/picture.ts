/** The picture of a neighborhood: numbered discs, near where alike, larger the more alike the page in the middle. */

import { type Html, html } from '../../service/http/markup.ts';
import type { RelatedPageAnswer } from '../../service/schemas/answers/list-answers.ts';
import type { Context } from '../context.ts';
import { greatestTerms } from '../parts/greatest-terms.ts';
import { cut } from '../parts/page-link.ts';
import { type Box, type Disc, type Label, placeLabels, textWidth } from './labels.ts';
import { layout, type Pair } from './layout.ts';
import type { SiteColors } from './site-colors.ts';

interface Neighborhood {
  readonly url: string;
  readonly title: string;
  /** Nearest first. */
  readonly related: readonly RelatedPageAnswer[];
  /** Of pages by their place in `related` plus one; 0 is the page in the middle. */
  readonly pairs: readonly Pair[];
}

/** How large a picture is, in units of its text, and how many pages it has room for. */
export interface PictureForm {
  readonly name: 'wide' | 'narrow';
  readonly width: number;
  readonly height: number;
  readonly pageCount: number;
}

const MARGIN_X = 70;
const MARGIN_Y = 24;
const FONT_SIZE = 13;
const LABEL_CHARS = 26;
/** Where there is no room for more. */
const SHORT_LABEL_CHARS = 13;
const TERMS_NAMED = 3;
const CENTER_RADIUS = 17;
const LEAST_RADIUS = 10;
const MORE_RADIUS = 6;
/** Lines are drawn between the likest pairs alone: more would hide the discs. */
const LINES_PER_PAGE = 1.5;

/** A page whose name finds no room is not drawn: it stands in the list alone. */
export function neighborhoodPicture(
  { href }: Context,
  { title, related: all, pairs: allPairs }: Neighborhood,
  colors: SiteColors,
  form: PictureForm,
): Html {
  const related = all.slice(0, form.pageCount);
  const pairs = allPairs.filter(({ other }) => other <= related.length);
  const discs = discsOf(related, pairs, form);
  const titles = [title, ...related.map((page) => page.title.trim() || page.url)];
  const names = titles.map((text) => cut(text.replaceAll(/\s+/g, ' '), LABEL_CHARS));
  const frame = { left: 2, top: 2, right: form.width - 2, bottom: form.height - 2 };
  const short = names.map((text) => cut(text, SHORT_LABEL_CHARS));
  const labels = placeLabels(discs, [names, short], frame, FONT_SIZE);
  const isDrawn = (i: number) => labels[i] !== null;
  const lines = pairs
    .filter(({ one, other }) => isDrawn(one) && isDrawn(other))
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, Math.ceil(LINES_PER_PAGE * related.length));
  const drawn = [...discs.keys()].filter(isDrawn);
  const { left, top, right, bottom } = extent(
    drawn.map((i) => discs[i]!),
    labels,
  );
  const [width, height] = [right - left, bottom - top];
  return html`<svg class="map ${form.name}" width="${fixed(width)}" height="${fixed(height)}" viewBox="${[left, top, width, height].map(fixed).join(' ')}" role="group" aria-label="The neighborhood of ${cut(title, 100)}">
<g class="lines">${lines.map(({ one, other }) => line(discs[one]!, discs[other]!))}</g>
${drawn.map((i) => {
  const [disc, label] = [discs[i]!, labels[i]];
  const name = html`${label != null && html`<text class="label" x="${fixed(label.x)}" y="${fixed(label.y)}" text-anchor="${label.anchor}">${label.text}</text>`}`;
  const mark = html`<circle cx="${fixed(disc.x)}" cy="${fixed(disc.y)}" r="${fixed(disc.radius)}"/><text class="number" x="${fixed(disc.x)}" y="${fixed(disc.y + 4)}" text-anchor="middle">${i === 0 ? '•' : i}</text>`;
  if (i === 0) return html`<g class="center">${mark}${name}</g>\n`;
  const { url, similarity, why } = related[i - 1]!;
  const terms = greatestTerms(why?.terms ?? [], TERMS_NAMED).map(([term]) => term);
  const reason = terms.length > 0 && `: both speak of ${terms.join(', ')}`;
  return html`<a class="${colors.classOf(url)}" data-page="${i}" href="${href('/explore/map', { url })}"><title>${cut(titles[i]!, 200)}, similarity ${similarity.toFixed(2)}${reason}</title>${mark}${name}</a>\n`;
})}</svg>`;
}

function discsOf(
  related: Neighborhood['related'],
  pairs: readonly Pair[],
  { width, height }: PictureForm,
): Disc[] {
  const greatest = Math.max(...related.map(({ similarity }) => similarity), 1e-9);
  const marginX = Math.min(MARGIN_X, width / 8);
  const discs = layout(related.length + 1, pairs).map(({ x, y }, i) => ({
    x: width / 2 + x * (width / 2 - marginX),
    y: height / 2 + y * (height / 2 - MARGIN_Y),
    radius:
      i === 0 ? CENTER_RADIUS : LEAST_RADIUS + MORE_RADIUS * Math.sqrt(related[i - 1]!.similarity / greatest),
  }));
  return apart(discs, width, height);
}

function line(from: Disc, to: Disc): Html {
  return html`<line x1="${fixed(from.x)}" y1="${fixed(from.y)}" x2="${fixed(to.x)}" y2="${fixed(to.y)}"/>`;
}

const fixed = (value: number): string => value.toFixed(1);

const AROUND = 4;

/** What discs and labels take up: the picture has no empty edges. */
function extent(discs: readonly Disc[], labels: readonly (Label | null)[]): Box {
  const boxes: Box[] = discs.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  for (const label of labels) {
    if (label === null) continue;
    const { text, x, y, anchor } = label;
    const width = textWidth(text, FONT_SIZE);
    const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    boxes.push({ left, right: left + width, top: y - FONT_SIZE, bottom: y + FONT_SIZE / 3 });
  }
  return {
    left: Math.min(...boxes.map((box) => box.left)) - AROUND,
    top: Math.min(...boxes.map((box) => box.top)) - AROUND,
    right: Math.max(...boxes.map((box) => box.right)) + AROUND,
    bottom: Math.max(...boxes.map((box) => box.bottom)) + AROUND,
  };
}

const ROUNDS = 60;
const BETWEEN = 4;

/** Moves discs that overlap away from each other, as little as is needed; the one in the middle stays. */
function apart(discs: readonly Disc[], width: number, height: number): Disc[] {
  const moved = discs.map((disc) => ({ ...disc }));
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < moved.length; i++) {
      for (let j = i + 1; j < moved.length; j++) push(moved[i]!, moved[j]!, i === 0);
    }
    for (const disc of moved) {
      disc.x = Math.min(Math.max(disc.x, MARGIN_Y), width - MARGIN_Y);
      disc.y = Math.min(Math.max(disc.y, MARGIN_Y), height - MARGIN_Y);
    }
  }
  return moved;
}

function push(one: { x: number; y: number; radius: number }, other: typeof one, isFirstFixed: boolean): void {
  const [dx, dy] = [other.x - one.x || 0.01, other.y - one.y];
  const length = Math.hypot(dx, dy);
  const missing = one.radius + other.radius + BETWEEN - length;
  if (missing <= 0) return;
  const share = isFirstFixed ? 1 : 0.5;
  other.x += (dx / length) * missing * share;
  other.y += (dy / length) * missing * share;
  if (isFirstFixed) return;
  one.x -= (dx / length) * missing * share;
  one.y -= (dy / length) * missing * share;
}
