import { Command } from 'commander';
import { optionFault } from '../../../errors.ts';
import { BUILD_NAMES, buildOptions } from '../../build/build-options.ts';
import { indexText } from '../../build/report-text.ts';
import { buildAndReport } from '../../build/run-build.ts';
import { requireTargetFolder } from '../../settings/inputs.ts';
import { configOf, givenFlags } from '../../settings/options.ts';
import {
  addReadingFlags,
  type ReadingFlags,
  requireFormatUse,
  requireSweepUse,
} from '../../terminal/page-reading.ts';
import type { Terminal } from '../../terminal/terminal.ts';

const TARGET = 'the index to write; it replaces an older one when it is complete';

const HELP = `
INPUT is a WARC or ARC file, a JSONL file ({"url", "html" or "text", ...} on each line), a folder of HTML, a folder
of WARC or ARC files, an index, or - for standard input. Compressed files (.gz, .zst) are read directly. A
folder of HTML needs its URL. From an index all pages and their history are taken, whatever options it was built with.

Archives of akin crawl are of the sweep that their names say: a crawl folder of three sweeps makes three of the index, named
sweep-1, sweep-2 and sweep-3. --sweep names the last of them. What else is given is of the sweep whose archives come next, or of the last.

With --sweep-per-input inputs are states of a site one after the other, as if each but the first had been added. --whole
says that each has all pages of its sites: what one does not have is gone since; --whole-sweep says it of some.

Examples:
  akin index crawl.warc.gz --to web.akin
  akin index crawl/ --to web.akin
  akin index https://example.org/docs/=./site/docs --to docs.akin
  akin index first/ second/ --base https://example.org/ --to both.akin
  akin index https://example.org/=./v1 https://example.org/=./v2 --sweep-per-input --whole --to docs.akin
  akin index --empty --to shop.akin --fields category,price:number
  zcat pages.jsonl.gz | akin index - --format jsonl --to web.akin --memory 512M --json`;

interface IndexFlags extends ReadingFlags {
  readonly empty?: true;
}

/** `akin index INPUT... --to FILE`: builds an index and replaces the old one when the new one is complete. */
export function indexCommand(terminal: Terminal): Command {
  const command = new Command('index').description('build an index from pages').addHelpText('after', HELP);
  addReadingFlags(command, TARGET, BUILD_NAMES, '[input...]').option(
    '--empty',
    'no input: an index without pages, for an app that hands them over (akin serve --writable)',
  );
  return command.action(async (paths: string[], flags: IndexFlags) => {
    const mayBeEmpty = flags.empty === true;
    requireInputs(paths, mayBeEmpty);
    const given = givenFlags(command, ['format', 'sweepName']);
    requireFormatUse(given.format, paths);
    requireSweepUse(given.sweepName, flags);
    const options = { ...buildOptions(paths, flags, configOf(command, BUILD_NAMES, terminal)), mayBeEmpty };
    requireTargetFolder(options.target, '--to web.akin');
    await buildAndReport(options, terminal, flags, indexText);
  });
}

/** Errors  InputError AKIN_ERR_OPTION where there is no input, or one beside `--empty`. */
function requireInputs(paths: readonly string[], isEmpty: boolean): void {
  if (paths.length > 0 !== isEmpty) return;
  throw optionFault(
    isEmpty ? '--empty is for an index of no input' : 'no input is given',
    isEmpty
      ? 'leave it out, or the inputs'
      : 'give WARC files, JSONL or a folder with .html files; for pages that an app will hand over: --empty',
  );
}
