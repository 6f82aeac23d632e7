/** What marks in a page say of its parts, and which selectors stand for marks where a site cannot mark. */
import { parseSelectors, type Selector } from './selector.ts';

/** Parts of pages by selectors. */
export interface MarkSelectors {
  /** Of what alone counts, on a page that has no mark of its own for that. */
  readonly body: readonly Selector[];
  /** Of what does not count, beside what pages mark. */
  readonly ignore: readonly Selector[];
}

/** Which marks a page has. */
export interface PageMarks {
  readonly hasBody: boolean;
  readonly hasIgnored: boolean;
  readonly hasWeights: boolean;
}

/** `text.slice(start, end)` of the text of a page: each word of it counts `weight` times, a whole number from 2. */
export interface WeightSpan {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

export const NO_MARKS: PageMarks = { hasBody: false, hasIgnored: false, hasWeights: false };
export const MAX_WEIGHT = 10;

export const OWN_BODY = parseSelectors('[data-akin-body], [data-pagefind-body]')!;
export const OWN_IGNORE = parseSelectors('[data-akin-ignore], [data-pagefind-ignore]')!;
export const WEIGHT_ATTRIBUTE = 'data-akin-weight';

/**
 * Selectors by their texts, '' for none: where there is no other, pages are read by their own marks alone.
 *
 * @param body as `parseSelectors` takes it.
 */
export function markSelectors(body: string, ignore: string): MarkSelectors {
  const read = (text: string) => (text === '' ? [] : parseSelectors(text)!);
  return { body: read(body), ignore: read(ignore) };
}
