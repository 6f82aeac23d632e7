import type { HistoryAnswer, MovedAnswer, SeenAnswer } from '../../service/schemas/answers/time-answers.ts';
import { formatCount, formatNumberOf, left, renderTable, right } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { boundText, containmentTexts, headText, STATE_TEXTS, shorten, similarityText } from './phrases.ts';

/** Where a page was seen last, and where its text may be now. */
export function renderMoved({
  url,
  title,
  state,
  last_seen: seen,
  candidates,
  complete,
}: MovedAnswer): string {
  const when = seen === null ? '' : `, last seen in ${seenText(seen)}`;
  // An address that never had a page of its own.
  const what = state === 'gone' && seen === null ? 'leads elsewhere' : STATE_TEXTS[state];
  const head = `${headText({ title, url })}\n${what}${when}`;
  const bound = boundText(complete);
  if (candidates.length === 0)
    return `${head}\n\n${state === 'current' ? 'no other page has its text' : 'found nowhere else'}${bound}`;
  const rows = candidates.map((page) => [
    similarityText(page.resemblance, page.measure),
    containmentTexts(page.containment)[0],
    STRENGTH_TEXTS[page.strength],
    page.evidence.join(', '),
    page.gone_since !== null
      ? `gone since ${seenText(page.gone_since)}${page.now_at === null ? '' : `, now at ${printable(page.now_at.url)}`}`
      : page.last_seen === null
        ? ''
        : seenText(page.last_seen),
    shorten(printable(page.title)),
    printable(page.url),
  ]);
  const columns = [
    right('Resemblance'),
    right('Share of it'),
    left('It'),
    left('Evidence'),
    left('Last seen'),
    left('Title'),
    left('URL'),
  ];
  const intro = state === 'current' ? 'these pages also have its text:\n' : '';
  return `${head}\n\n${intro}${renderTable(columns, rows)}${bound}`;
}

const STRENGTH_TEXTS: Readonly<Record<MovedAnswer['candidates'][number]['strength'], string>> = {
  now_at: 'is now at',
  parts_in: 'has parts in',
  perhaps: 'perhaps is',
  gone: 'was also at',
};

function seenText({ sweep, fetched_at: at }: SeenAnswer): string {
  return `${printable(sweep)} (${at?.slice(0, 10) ?? 'date unknown'})`;
}

/** One line for each capture, and which they are where there are more. */
export function renderHistory({ url, title, state, captures, total }: HistoryAnswer): string {
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
  const cut =
    captures.length < total ? `\n\nthe first ${captures.length} of ${formatNumberOf(total, 'capture')}` : '';
  return `${head}\n\n${renderTable(columns, rows)}${cut}`;
}
