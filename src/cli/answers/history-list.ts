import type { HistoryAnswer } from '../../service/schemas/answers/time-answers.ts';
import { formatCount, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { headText, STATE_TEXTS, similarityText } from './phrases.ts';

/** One line for each capture. */
export function renderHistory({ url, title, state, captures }: HistoryAnswer): string {
  const head = `${headText({ title, url })}${state === 'current' ? '' : `\n${STATE_TEXTS[state]}`}`;
  const rows = captures.map((capture) => [
    printable(capture.sweep),
    capture.fetched_at?.slice(0, 19).replace('T', ' ') ?? 'unknown',
    capture.digest,
    formatCount(capture.token_count),
    capture.changed.replaceAll('_', ' '),
    similarityText(capture.resemblance, capture.measure),
    capture.containment === null ? '' : capture.containment.before_in_this.toFixed(3),
    capture.containment === null ? '' : (1 - capture.containment.this_in_before).toFixed(3),
  ]);
  const columns = [
    left('Sweep'),
    left('Fetched'),
    left('Digest'),
    right('Tokens'),
    left('Changed'),
    right('Resemblance'),
    right('Kept'),
    right('New'),
  ];
  return `${head}\n\n${renderTable(columns, rows)}`;
}
