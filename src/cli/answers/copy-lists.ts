import { InputError } from '../../errors.ts';
import type { CoverAnswer, GroupAnswer } from '../../service/schemas/answers/copy-answers.ts';
import { formatNumberOf, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { boundText, shorten } from './phrases.ts';

/** The results in a file; the service checks the results. Errors  InputError AKIN_ERR_DOCUMENT for an empty list or broken JSON. */
export function resultsOf(list: string, content: string): unknown {
  const text = content.trim();
  if (text === '') {
    throw new InputError('AKIN_ERR_DOCUMENT', `${list} is empty`, {
      hint: 'give one URL on each line, best result first',
    });
  }
  if (!/^[[{]/.test(text)) return text.split('\n').flatMap((line) => line.trim() || []);
  try {
    const json = JSON.parse(text) as { readonly results?: unknown };
    return Array.isArray(json) ? json : json.results;
  } catch (cause) {
    throw new InputError('AKIN_ERR_DOCUMENT', `${list} is not valid JSON`, {
      hint: 'give one URL on each line, or a JSON array of URLs',
      cause,
    });
  }
}

/** The groups, copies indented below the result that stands for them. */
export function renderGroups({ hidden_count: hiddenCount, groups }: GroupAnswer): string {
  const rows = groups.flatMap(({ members, unknown }) =>
    members.map(({ rank, url, title, resemblance }, i) => [
      String(rank + 1),
      i > 0 && resemblance !== null ? resemblance.toFixed(3) : '',
      `${i > 0 ? '  ' : ''}${printable(url)}`,
      unknown ? '(not in the index)' : shorten(printable(title ?? '')),
    ]),
  );
  const table = renderTable([right('Rank'), right('Resemblance'), left('URL'), left('Title')], rows);
  const copies =
    hiddenCount === 0 ? 'no copies' : formatNumberOf(hiddenCount, 'hidden copy', 'hidden copies');
  return `${table}\n\n${formatNumberOf(groups.length, 'group')}, ${copies}`;
}

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
  const bound = boundText(complete);
  if (pages.length === 0) return `no page holds a part of it${bound}`;
  return `${renderTable([right('Adds'), right('Holds'), left('Title'), left('URL')], rows)}\n\n${rest}${bound}`;
}
