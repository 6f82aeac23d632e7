import { Command } from 'commander';
import type { HistoryAnswer } from '../../service/schemas/time-answers.ts';
import { ask } from '../answers/ask.ts';
import { STATE_TEXTS, similarityText } from '../answers/phrases.ts';
import { formatCount, left, renderTable, right } from '../terminal/table.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
Kept is the share of the text before that is still there; New is the share of the text that was not there before.

Examples:
  akin history web.akin https://example.org/page
  akin history web.akin https://example.org/page --json --limit 100`;

/** `akin history FILE URL`: the answer of `GET /history`. */
export function historyCommand(terminal: Terminal): Command {
  return new Command('history')
    .description('print the captures of a page, and how it changed')
    .argument('<file>', 'the index')
    .argument('<url>', 'a page of the index, or an alias of one')
    .option('--limit <N>', 'captures to print, oldest first (default 10, at most 100)')
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(async (path: string, url: string, flags: { limit?: string; json?: true }) => {
      const query = { url, limit: flags.limit };
      const answer = await ask<HistoryAnswer>(path, { method: 'GET', path: '/history', query });
      if (flags.json === true) printJson(terminal, answer);
      else print(terminal, render(answer));
    });
}

function render({ url, title, state, captures }: HistoryAnswer): string {
  const head = `${printable(title)} (${printable(url)})${state === 'current' ? '' : `\n${STATE_TEXTS[state]}`}`;
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
