import { type Command, Option } from 'commander';
import { optionFault } from '../../errors.ts';
import { inWords } from '../../lib/in-words.ts';
import { MOVED_MISSING } from '../../service/schemas/parameters/parameters.ts';
import { askingCommand } from '../answers/asking-command.ts';
import { renderMoved } from '../answers/time-lists.ts';
import { pageRows } from '../exports/page-rows.ts';
import { MAP_FORMATS, type MapFormat, redirectLines, withOthers } from '../exports/redirect-map.ts';
import { runExport, type Source } from '../exports/run-export.ts';
import { flagNumber } from '../settings/flag-number.ts';
import type { Terminal } from '../terminal/terminal.ts';

const HELP = `
With --all: a map of redirects from all lost pages to where their texts are, with the evidence as comments; csv has
the same as a table. A page is lost where a sweep found it gone, or came by and did not meet it.

Examples:
  akin moved web.akin https://example.org/old-page
  akin moved web.akin https://example.org/old-page --json --limit 3
  akin moved web.akin --all --at 0.5 --format nginx --to moved.conf`;

const asking = askingCommand({
  name: 'moved',
  describes: 'print where the content of a lost page is now, or of all lost pages',
  route: 'moved',
  parameters: MOVED_MISSING,
  word: ['[url]', 'a page of any sweep, or an alias of one'],
  help: HELP,
  asks: (url, { all, at, format, to }) => {
    if ([all, at, format, to].some((given) => given !== undefined)) {
      throw optionFault(
        'a URL and --all, or what goes with it, cannot be used together',
        'give the URL of one page, or --all with --format for all that are lost',
      );
    }
    return { values: { url } };
  },
  print: renderMoved,
  without: printAll,
});

/** `akin moved FILE URL`, and `akin moved FILE --all`. */
export function movedCommand(terminal: Terminal): Command {
  return asking(terminal)
    .option('--all', 'redirects of all lost pages')
    .option('--at <X>', 'with --all: share of the text that its new place must have, 0 to 1 (default 0.5)')
    .addOption(new Option('--format <NAME>', `with --all: ${MAP_FORMATS.join(', ')}`).choices(MAP_FORMATS))
    .option('--to <FILE>', 'with --all: write a file instead of standard output');
}

const LOST = pageRows('moved');

/** Lost pages, and what a redirect of each would lead away. */
const REDIRECTED: Source = {
  ...LOST,
  run: (index, reads, query, onPages, write) =>
    LOST.run(index, reads, query, onPages, (rows) => write(withOthers(reads, rows))),
};

/** Of one page alone. */
const OF_ONE = ['json', 'limit', 'minContainment'];

async function printAll(
  path: string,
  { all, at = '0.5', format, to, ...others }: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<void> {
  const idle = OF_ONE.find((name) => others[name] !== undefined);
  if (idle !== undefined) {
    throw optionFault(
      `--${inWords(idle, '-')} has no effect with --all`,
      'leave it out; akin export --what moved has all there is, also as JSON',
    );
  }
  if (all !== true || format === undefined) {
    throw optionFault(
      'akin moved needs a URL, or --all and --format',
      `akin moved ${path} URL, or akin moved ${path} --all --format ${MAP_FORMATS[0]}`,
    );
  }
  const least = flagNumber('--at', String(at), { min: 0, max: 1 });
  await runExport(terminal, REDIRECTED, {
    command: 'moved',
    paths: [path],
    lines: redirectLines(format as MapFormat, least),
    target: to as string | undefined,
    // What holds less than usual is asked for too.
    given: { min_containment: Math.min(least, MOVED_MISSING.min_containment.plain) },
  });
}
