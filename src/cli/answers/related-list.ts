import type { RelatedAnswer, SharedTermAnswer } from '../../service/schemas/list-answers.ts';
import { left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { containmentTexts, EMPTY_TEXTS, shorten, similarityText } from './phrases.ts';

/**
 * Similarity, title and URL of each result; `~` marks an estimate. For copies also how much of the page asked
 * about is in the result, and how much of the result is in that page.
 */
export function renderRelated({
  related,
  empty_reason: reason,
}: Pick<RelatedAnswer, 'related' | 'empty_reason'>): string {
  if (reason !== null) return EMPTY_TEXTS[reason];
  const explained = related.some(({ why }) => why !== undefined);
  const copies = related.some(({ containment }) => containment !== undefined);
  const rows = related.map(({ similarity, measure, containment, title, url, why }) => [
    similarityText(similarity, measure),
    ...(copies ? containmentTexts(containment) : []),
    shorten(printable(title)),
    printable(url),
    ...(explained ? [(why?.terms ?? []).slice(0, 5).map(termShare).join(', ')] : []),
  ]);
  const columns = [
    right('Similarity'),
    ...(copies ? [right('In result'), right('Of result')] : []),
    left('Title'),
    left('URL'),
    ...(explained ? [left('Shared terms')] : []),
  ];
  return renderTable(columns, rows);
}

function termShare({ term, share }: SharedTermAnswer): string {
  return `${printable(term)} ${Math.round(share * 100)} %`;
}
