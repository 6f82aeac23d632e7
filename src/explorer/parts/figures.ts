/** Numbers, dates and shares, as text and as thin bars. */

import { type Html, html } from '../../service/http/markup.ts';
import type { SeenAnswer } from '../../service/schemas/answers/time-answers.ts';
import { archived } from './archived.ts';

const COUNT = new Intl.NumberFormat('en-US');

export function count(value: number, one?: string, many = `${one}s`): string {
  const text = COUNT.format(value);
  return one === undefined ? text : `${text} ${value === 1 ? one : many}`;
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** `Danish` of `da`; a code that is none as it is. */
export function languageName(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code;
  } catch {
    return code;
  }
}

export function bytes(value: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1);
  const scaled = value / 1000 ** power;
  return `${scaled < 10 && power > 0 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`;
}

/** Whole percents; what is neither none nor all is not called so. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  if (whole === 0 && share > 0) return 'less than 1 %';
  if (whole === 100 && share < 1) return 'more than 99 %';
  return `${whole} %`;
}

/** A day in UTC. */
export function day(time: string | null): Html {
  if (time === null) return html`at an unknown time`;
  return html`<time datetime="${time}">${time.slice(0, 10)}</time>`;
}

/** When a sweep met something: the day, or the name of the sweep where that is not known; and what an archive has of it. */
export function seenText({ sweep, fetched_at: time, ...seen }: SeenAnswer): Html {
  return html`${time === null ? html`in the sweep <bdi>${sweep}</bdi>` : day(time)}${archived(seen)}`;
}

/** A share from 0 to 1 as a bar; `root` draws its square root, since good neighbors lie at .07 to .20. */
export function bar(share: number, label: string, { root = false } = {}): Html {
  const width = Math.min(100, Math.max(2, 100 * (root ? Math.sqrt(share) : share)));
  return html`<svg class="bar" role="img" aria-label="${label}"><title>${label}</title><rect class="ground" width="100%" height="100%"/><rect class="fill" width="${width.toFixed(1)}%" height="100%"/></svg>`;
}

const LONGEST_LINE = 72;

/** A term over a line as long as its share of a whole; the greatest of a list has the longest. `after` follows it closely. */
export function chip(term: string, share: number, greatest: number, after = ''): Html {
  const width = Math.max(2, Math.round((LONGEST_LINE * share) / Math.max(greatest, Number.MIN_VALUE)));
  return html`<span class="chip" title="${percent(share)}"><span><bdi>${term}</bdi>${after}</span><svg width="${width}" height="2" aria-hidden="true"><rect width="100%" height="100%"/></svg></span>`;
}
