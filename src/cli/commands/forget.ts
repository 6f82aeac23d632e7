import { Command } from 'commander';
import type { KnobName } from '../settings/config.ts';
import { addKnobs, settle } from '../settings/options.ts';
import { formatCount, formatDuration, formatSize } from '../terminal/table.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';

const NAMES: KnobName[] = ['memoryBytes'];

const HELP = `
Of a page everything goes: its captures, its texts unless another page has the same, its place in every list.
Of an alias the alias goes; the page that speaks for it stays. No byte of them is left in the file.
What stays until a rebuild: words of the vocabulary, and what its links said of other pages.

Example:
  akin forget web.akin https://example.org/private https://example.org/old`;

/** `akin forget FILE URL...`: takes pages out of an index. */
export function forgetCommand(terminal: Terminal): Command {
  const command = new Command('forget')
    .description('take pages out of an index, with all that is known of them')
    .argument('<file>', 'the index')
    .argument('<url...>', 'pages, or aliases of pages')
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (target: string, urls: string[], flags: { json?: true }) => {
    const { memoryBytes } = settle(command, NAMES, terminal);
    const { forgetUrls } = await import('../../indexer/forget-index.ts');
    const report = await forgetUrls({ target, urls, memoryBytes, workerCount: 1 });
    if (flags.json === true) {
      printJson(terminal, report);
      return;
    }
    print(
      terminal,
      `${target}: forgot ${formatCount(report.forgottenPageCount)} pages, ` +
        `${formatCount(report.forgottenAliasCount)} aliases and ${formatCount(report.forgottenVersionCount)} texts ` +
        `in ${formatDuration(report.durationMs)}; ${formatCount(report.pageCount)} pages are left, ` +
        `index ${formatSize(report.indexBytes)}`,
    );
  });
}
