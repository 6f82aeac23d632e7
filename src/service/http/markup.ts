import { escapeHtml } from './html.ts';

/** Markup: what stands in a page as it is. Made by `html` alone, so that all else is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | null | undefined | false | readonly Content[];

/** Joins markup and values: a value that is not markup is escaped; null, undefined and false are nothing. */
export function html(markup: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = markup[0]!;
  for (const [i, value] of values.entries()) text += rendered(value) + markup[i + 1]!;
  return new Html(text);
}

function rendered(content: Content): string {
  if (content instanceof Html) return content.text;
  if (content === null || content === undefined || content === false) return '';
  if (typeof content === 'object') return content.map(rendered).join('');
  return escapeHtml(String(content));
}
