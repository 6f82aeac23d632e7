import { type Html, html } from '../../service/http/markup.ts';

/** Links to the same page under other settings; the one in use is marked. */
export function choiceLinks(
  label: string,
  choices: readonly { text: string; href: string; isOn: boolean }[],
): Html {
  return html`<nav class="choice" aria-label="${label}">${choices.map(
    ({ text, href, isOn }) => html`<a href="${href}"${isOn && html` aria-current="true"`}>${text}</a> `,
  )}</nav>`;
}
