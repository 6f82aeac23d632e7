/** Words for what the service answers by name, and the cells that several tables share. */
import type { ContainmentAnswer } from '../../service/schemas/answers/copy-answers.ts';
import type { EmptyReason, FieldFacetAnswer } from '../../service/schemas/answers/list-answers.ts';
import type { FacetAnswer } from '../../service/schemas/answers/search-answers.ts';
import type { State } from '../../service/schemas/answers/time-answers.ts';
import type { Measure } from '../../service/schemas/fields.ts';
import { formatCount } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';

export const EMPTY_TEXTS: Readonly<Record<EmptyReason, string>> = {
  not_indexed: 'nothing related: the page is not in the index',
  gone: 'nothing related: the page is gone, so it has no text to compare',
  too_little_text: 'nothing related: the text has too few different words',
  no_known_words:
    'nothing related: each of its words is on no other page of the index, or on too many to tell them apart',
  no_links: 'nothing related: the page has no links of the kind that this relation goes by',
  no_features: 'nothing related: its owner gave the page no features',
  no_vector: 'nothing related: its owner gave the page no vector',
  below_threshold: 'nothing related: no page is similar enough',
  template: 'nothing related: pages that resemble it share the template of their host and little else',
  excluded: 'nothing related: the options exclude every related page',
};

export const STATE_TEXTS: Readonly<Record<State, string>> = {
  current: 'not moved: as far as the sweeps know it is there',
  not_seen_since: 'not in the latest sweep',
  never_read: 'never read, known by links alone',
  gone: 'gone',
  not_indexed: 'not in the index',
};

const TITLE_WIDTH = 44;

/** `0.912`; `~0.912` for an estimate; nothing where nothing was measured. */
export function similarityText(similarity: number | null, measure: Measure | null): string {
  return similarity === null ? '' : `${measure === 'estimate' ? '~' : ''}${similarity.toFixed(3)}`;
}

/** Behind what is not known to be all that there is. */
export function boundText(isComplete: boolean): string {
  return isComplete ? '' : '\n\nsome pages were not looked at';
}

/** How much of the page asked about is in the result, and how much of the result is in that page. */
export function containmentTexts(containment: ContainmentAnswer | null | undefined): [string, string] {
  if (!containment) return ['', ''];
  return [containment.asked_in_result.toFixed(3), containment.result_in_asked.toFixed(3)];
}

/** A text cut to the width of a title. */
export function shorten(text: string): string {
  const letters = [...text];
  return letters.length <= TITLE_WIDTH ? text : `${letters.slice(0, TITLE_WIDTH - 3).join('')}...`;
}

/** `Title (URL)`; of a page without a title the URL alone. */
export function headText({ title, url }: { readonly title: string; readonly url: string }): string {
  const shown = printable(title);
  return shown === '' ? printable(url) : `${shown} (${printable(url)})`;
}

/** A line for each: `category: tea 1,204, ware 3, others 17, none 2`. */
export function facetLines(facets: readonly (FacetAnswer | FieldFacetAnswer)[] = []): string[] {
  return facets.map(({ name, values, rest, ...facet }) => {
    const without = 'without' in facet ? facet.without : 0;
    const named = values.map(({ value, pages }) => `${value ?? 'none'} ${formatCount(pages)}`);
    if (rest > 0) named.push(`others ${formatCount(rest)}`);
    if (without > 0) named.push(`none ${formatCount(without)}`);
    return printable(`${name}: ${named.join(', ')}`);
  });
}
