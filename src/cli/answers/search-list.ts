import type { SearchAnswer } from '../../service/schemas/answers/search-answers.ts';
import { formatCount } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';
import { facetLines } from './phrases.ts';

/** How many there are and how they divide, then for each result its title, URL and passage. */
export function renderSearch({ total, corrected, left_out = [], facets, results }: SearchAnswer): string {
  const note = left_out.length === 0 ? '' : `; too many words, left out: ${printable(left_out.join(' '))}`;
  if (total === 0) return `no page has these words${note}`;
  const slips = corrected.map(({ word, instead }) => `${printable(instead)} instead of ${printable(word)}`);
  const head = `${formatCount(total)} ${total === 1 ? 'page' : 'pages'}${slips.length > 0 ? ` with ${slips.join(', ')}` : ''}${note}`;
  const items = results.map(({ title, url, snippet, copies, fetched }) => {
    const notes = [
      ...(fetched ? [] : ['known by links alone']),
      ...(copies === 0 ? [] : [`and ${formatCount(copies)} like it`]),
    ];
    const lines = [printable(title) || printable(url), `  ${printable(url)}`];
    if (snippet.text !== '') lines.push(`  ${printable(snippet.text)}`);
    if (notes.length > 0) lines.push(`  (${notes.join(', ')})`);
    return lines.join('\n');
  });
  return [[head, ...facetLines(facets)].join('\n'), ...items].join('\n\n');
}
