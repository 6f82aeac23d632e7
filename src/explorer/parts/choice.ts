import { type Html, html } from '../../service/http/markup.ts';

/** What was read alone, and all that is known. */
export const FETCHED = ['only', 'include'] as const;

/** Links to the same page under either; `self` is it with other values. */
export function fetchedLinks(
  label: string,
  chosen: (typeof FETCHED)[number],
  texts: Readonly<Record<(typeof FETCHED)[number], string>>,
  self: (more: object) => string,
): Html {
  const hrefOf = (one: string) => self({ fetched: one === 'only' ? '' : one });
  return choiceLinks(label, FETCHED, chosen, (one) => texts[one], hrefOf);
}

/** Links to the same page under each of some values; the chosen one is marked. */
export function choiceLinks<Value>(
  label: string,
  values: readonly Value[],
  chosen: NoInfer<Value>,
  textOf: (value: Value) => string,
  hrefOf: (value: Value) => string,
): Html {
  const link = (value: Value) =>
    html`<a href="${hrefOf(value)}"${value === chosen && html` aria-current="true"`}>${textOf(value)}</a> `;
  return html`<nav class="choice" aria-label="${label}">${values.map(link)}</nav>`;
}
