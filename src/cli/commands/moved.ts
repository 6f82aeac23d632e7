import { Command } from 'commander';
import type { MovedAnswer, SeenAnswer } from '../../service/schemas/time-answers.ts';
import { ask } from '../answers/ask.ts';
import { containmentTexts, STATE_TEXTS, shorten, similarityText } from '../answers/phrases.ts';
import { left, renderTable, right } from '../terminal/table.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
Examples:
  akin moved web.akin https://example.org/old-page
  akin moved web.akin https://example.org/old-page --json --limit 3`;

/** `akin moved FILE URL`: the answer of `GET /moved`. */
export function movedCommand(terminal: Terminal): Command {
  return new Command('moved')
    .description('print where the content of a lost page is now')
    .argument('<file>', 'the index')
    .argument('<url>', 'a page of any sweep, or an alias of one')
    .option('--limit <N>', 'candidates to print (default 10, at most 100)')
    .option(
      '--min-containment <X>',
      'least share of the lost text that a page must hold, 0 to 1 (default 0.2)',
    )
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(
      async (path: string, url: string, flags: { limit?: string; minContainment?: string; json?: true }) => {
        const query = { url, limit: flags.limit, min_containment: flags.minContainment };
        const answer = await ask<MovedAnswer>(path, { method: 'GET', path: '/moved', query });
        if (flags.json === true) printJson(terminal, answer);
        else print(terminal, render(answer));
      },
    );
}

function render({ url, title, state, last_seen: seen, candidates }: MovedAnswer): string {
  const when = seen === null ? '' : `, last seen in ${seenText(seen)}`;
  const head = `${printable(title)} (${printable(url)})\n${STATE_TEXTS[state]}${when}`;
  if (candidates.length === 0)
    return `${head}\n\n${state === 'current' ? 'no other page has its text' : 'found nowhere else'}`;
  const rows = candidates.map((page) => [
    similarityText(page.resemblance, page.measure),
    containmentTexts(page.containment)[0],
    page.evidence.join(', '),
    page.last_seen === null ? '' : seenText(page.last_seen),
    shorten(printable(page.title)),
    printable(page.url),
  ]);
  const columns = [
    right('Resemblance'),
    right('Share of it'),
    left('Evidence'),
    left('Last seen'),
    left('Title'),
    left('URL'),
  ];
  const intro = state === 'current' ? 'these pages also have its text:\n' : '';
  return `${head}\n\n${intro}${renderTable(columns, rows)}`;
}

function seenText({ sweep, fetched_at: at }: SeenAnswer): string {
  return `${printable(sweep)} (${at?.slice(0, 10) ?? 'date unknown'})`;
}
