import type { CoverAnswer } from '../../service/schemas/answers/copy-answers.ts';
import { left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { shorten } from './phrases.ts';

/** The pages that hold a document, with the share that each adds, and the remainder. */
export function renderCover({ pages, remainder, measure, complete }: CoverAnswer): string {
  const sign = measure === 'estimate' ? '~' : '';
  const figure = (share: number) => sign + share.toFixed(3);
  const rows = pages.map(({ url, title, share, holds }) => [
    figure(share),
    figure(holds),
    shorten(printable(title)),
    printable(url),
  ]);
  const rest = `${figure(remainder)} of it is in none of them`;
  const bound = complete ? '' : '\nsome pages were not looked at';
  if (pages.length === 0) return `no page holds a part of it${bound}`;
  return `${renderTable([right('Adds'), right('Holds'), left('Title'), left('URL')], rows)}\n\n${rest}${bound}`;
}
