import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import type { GroupAnswer } from '../../service/schemas/copy-answers.ts';
import { ask, readDocument } from '../answers/ask.ts';
import { shorten } from '../answers/phrases.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { formatNumberOf, left, renderTable, right } from '../terminal/table.ts';
import { print, printable, printJson, type Terminal } from '../terminal/terminal.ts';

const HELP = `
LIST is a file, or - for standard input. It has one URL on each line, or JSON: an array of URLs and of
{ "url", "text" }, or an object whose "results" is such an array. Best result first, at most 200.

Examples:
  akin group web.akin results.txt
  akin group web.akin results.json --threshold 0.8 --json
  printf '%s\\n' https://example.org/a https://example.net/a | akin group web.akin -`;

/** `akin group FILE LIST`: the answer of `POST /group`. */
export function groupCommand(terminal: Terminal): Command {
  return new Command('group')
    .description('group the copies in a list of results')
    .argument('<file>', 'the index')
    .argument('<list>', 'the list of results; - is standard input')
    .option(
      '--threshold <X>',
      'least resemblance to the first page of a group, 0 to 1 (default: --copy-at of the index)',
    )
    .option('--json', 'print the answer of the HTTP service')
    .addHelpText('after', HELP)
    .action(async (path: string, list: string, flags: { threshold?: string; json?: true }) => {
      const results = resultsOf(list, Buffer.from(await readDocument(list, terminal)).toString());
      const request = {
        results,
        ...(flags.threshold !== undefined && {
          threshold: flagNumber('--threshold', flags.threshold, { min: 0, max: 1 }),
        }),
      };
      const answer = await ask<GroupAnswer>(path, {
        method: 'POST',
        path: '/group',
        query: {},
        body: { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(request)) },
      });
      if (flags.json === true) printJson(terminal, answer);
      else print(terminal, render(answer));
    });
}

/** The service checks the results. Errors  InputError AKIN_ERR_DOCUMENT for an empty list or broken JSON. */
function resultsOf(list: string, content: string): unknown {
  const text = content.trim();
  if (text === '') {
    throw new InputError('AKIN_ERR_DOCUMENT', `${list} is empty`, {
      hint: 'give one URL on each line, best result first',
    });
  }
  if (!/^[[{]/.test(text)) return text.split(/\s*\n\s*/);
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

function render({ hidden_count: hiddenCount, groups }: GroupAnswer): string {
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
