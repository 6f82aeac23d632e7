import { type Html, html } from '../../service/http/markup.ts';

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
