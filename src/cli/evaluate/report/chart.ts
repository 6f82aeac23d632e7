/**
 * Plots as SVG text without script. Colors are CSS classes (`s1`, `s2`, `s3` for series), so that one drawing serves a
 * light and a dark page. Every mark has its figures in a <title>, which browsers show on hover.
 */

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface Axis {
  readonly title: string;
  readonly max: number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const WIDTH = 500;
const HEIGHT = 280;
const MARGIN = { top: 12, right: 16, bottom: 44, left: 66 };
const right = WIDTH - MARGIN.right;
const bottom = HEIGHT - MARGIN.bottom;

export const SERIES = ['s1', 's2', 's3'] as const;
export type Series = (typeof SERIES)[number];

/** A frame with two axes from 0; marks are placed in the units of the axes. */
export class Chart {
  readonly #label: string;
  readonly #x: Axis;
  readonly #y: Axis;
  readonly #marks: string[] = [];

  constructor(label: string, x: Axis, y: Axis) {
    this.#label = label;
    this.#x = x;
    this.#y = y;
  }

  #left(x: number): number {
    return round(MARGIN.left + (x / this.#x.max) * (right - MARGIN.left));
  }

  #top(y: number): number {
    return round(bottom - (y / this.#y.max) * (bottom - MARGIN.top));
  }

  line(points: readonly { x: number; y: number }[], series: Series, title: string): void {
    const path = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${this.#left(x)} ${this.#top(y)}`);
    this.#marks.push(`<path class="line ${series}" d="${path.join('')}">${titleOf(title)}</path>`);
  }

  /** A point with its standard error above and below. */
  point(x: number, y: number, error: number, series: Series, title: string): void {
    const [low, high] = [Math.max(0, y - error), Math.min(this.#y.max, y + error)];
    const whisker = `M${this.#left(x)} ${this.#top(low)}V${this.#top(high)}`;
    this.#marks.push(
      `<g class="${series}">${titleOf(title)}<path class="whisker" d="${whisker}"/>` +
        `<circle cx="${this.#left(x)}" cy="${this.#top(y)}" r="4"/></g>`,
    );
  }

  bar(from: number, to: number, y: number, series: Series, title: string): void {
    const [x, width] = [this.#left(from), this.#left(to) - this.#left(from)];
    const height = bottom - this.#top(y);
    this.#marks.push(
      `<rect class="bar ${series}" x="${round(x + 1)}" y="${this.#top(y)}" width="${round(width - 2)}" ` +
        `height="${round(height)}">${titleOf(title)}</rect>`,
    );
  }

  /** The counts of equal bins as an outline with a light filling. */
  outline(counts: readonly number[], binWidth: number, series: Series, title: string): void {
    let steps = '';
    for (const [bin, count] of counts.entries()) {
      steps += `L${this.#left(bin * binWidth)} ${this.#top(count)}H${this.#left(Math.min((bin + 1) * binWidth, this.#x.max))}`;
    }
    const path = `M${this.#left(0)} ${bottom}${steps}V${bottom}`;
    this.#marks.push(`<path class="area ${series}" d="${path}">${titleOf(title)}</path>`);
  }

  svg(): string {
    const ticks = [
      ...this.#x.ticks.map(
        ({ at, text }) =>
          `<text x="${this.#left(at)}" y="${bottom + 18}" text-anchor="middle">${escapeXml(text)}</text>`,
      ),
      ...this.#y.ticks.map(
        ({ at, text }) =>
          `<path class="grid" d="M${MARGIN.left} ${this.#top(at)}H${right}"/>` +
          `<text x="${MARGIN.left - 8}" y="${this.#top(at) + 4}" text-anchor="end">${escapeXml(text)}</text>`,
      ),
    ];
    const middle = (MARGIN.top + bottom) / 2;
    return (
      `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(this.#label)}">` +
      `${ticks.join('')}${this.#marks.join('')}` +
      `<path class="axis" d="M${MARGIN.left} ${bottom}H${right}"/>` +
      `<text class="axis-title" x="${(MARGIN.left + right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">` +
      `${escapeXml(this.#x.title)}</text>` +
      `<text class="axis-title" transform="translate(13 ${middle}) rotate(-90)" text-anchor="middle">` +
      `${escapeXml(this.#y.title)}</text></svg>`
    );
  }
}

interface BarRow {
  readonly name: string;
  readonly value: number;
  /** The value as text, beside the bar. */
  readonly text: string;
}

const ROW_HEIGHT = 28;
const NAME_WIDTH = 140;
const TEXT_WIDTH = 84;

/** One bar a row, its name before it and its value behind it. */
export function barRows(label: string, rows: readonly BarRow[], series: Series): string {
  const most = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE);
  const bars = rows.map(({ name, value, text }, i) => {
    const middle = i * ROW_HEIGHT + ROW_HEIGHT / 2;
    const width = round((value / most) * (WIDTH - NAME_WIDTH - TEXT_WIDTH));
    return (
      `<text x="${NAME_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escapeXml(name)}</text>` +
      `<rect class="bar ${series}" x="${NAME_WIDTH}" y="${middle - 9}" width="${width}" height="18"/>` +
      `<text x="${NAME_WIDTH + width + 6}" y="${middle + 4}">${escapeXml(text)}</text>`
    );
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${rows.length * ROW_HEIGHT}" role="img" aria-label="${escapeXml(label)}">` +
    `${bars.join('')}</svg>`
  );
}

/** About `count` round ticks from 0 to at least `max`; the axis ends at the last. */
export function roundAxis(title: string, max: number, textOf: (value: number) => string, count = 5): Axis {
  const rough = Math.max(max, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const steps = Math.max(1, Math.ceil(max / step - 1e-9));
  const at = (i: number) => Number((i * step).toPrecision(9));
  const ticks = Array.from({ length: steps + 1 }, (_, i) => ({ at: at(i), text: textOf(at(i)) }));
  return { title, max: at(steps), ticks };
}

function titleOf(text: string): string {
  return `<title>${escapeXml(text)}</title>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
