import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import type { AddReport } from '../../indexer/add-index.ts';
import { INDEX_KNOBS, type KnobName } from '../config.ts';
import { epochText } from '../epoch-text.ts';
import { EXIT } from '../exit-code.ts';
import { parseInputs } from '../inputs.ts';
import { addKnobs, givenFlags, settle } from '../options.ts';
import { ProgressReporter } from '../progress.ts';
import { formatCount, formatDuration, formatSize } from '../table.ts';
import { print, printJson, type Terminal, tell } from '../terminal.ts';

const NAMES: KnobName[] = ['memoryBytes', 'workerCount', 'sweepName', 'format'];

const HELP = `
INPUT is what akin index takes. Every other setting is as the index was built. Give sweeps oldest first.
A server on the file answers throughout and turns to the new state when it is whole.

Pages that are not in the sweep stay as they are. A page that the sweep finds gone (404, 410) or leading
elsewhere keeps its history, and nothing is related to it any more; one that asks not to be indexed is
forgotten. Words that the full build did not know weigh nothing: akin show tells how many pages came since.

Examples:
  akin add crawl-2026-07.warc.gz --to web.akin
  akin add https://example.org/docs/=./site/docs --to docs.akin --sweep 2026-07`;

interface Flags {
  readonly to: string;
  readonly base?: string;
  readonly json?: true;
  readonly verbose?: true;
}

/** `akin add INPUT... --to FILE`: merges one more sweep into an index. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command('add')
    .description('merge one more sweep of pages into an index')
    .argument('<input...>', 'what to read; see below')
    .requiredOption('--to <FILE>', 'the index to change; it is replaced when the new state is whole')
    .option('--base <URL>', 'URL that stands for each folder given without one')
    .option('--json', 'print the report as JSON on standard output')
    .option('--verbose', 'name every skipped record, not only the first 20 of each reason')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (paths: string[], flags: Flags) => {
    const config = settle(command, NAMES, terminal);
    const isNamed =
      givenFlags(command, NAMES).sweepName !== undefined || !!terminal.env[INDEX_KNOBS.sweepName.env];
    const { addSweep } = await import('../../indexer/add-index.ts');
    const verbose = flags.verbose === true;
    const progress = new ProgressReporter(terminal.stderr, { verbose, now: () => performance.now() });
    const stop = (signal: NodeJS.Signals) => {
      progress.close();
      tell(terminal, 'akin: stopped; the index is as it was');
      process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    try {
      const report = await addSweep(
        {
          inputs: parseInputs(paths, flags.base ?? null, config.format === 'auto' ? null : config.format),
          target: flags.to,
          sweepName: isNamed ? config.sweepName : null,
          memoryBytes: config.memoryBytes,
          workerCount: config.workerCount || availableParallelism(),
        },
        progress,
      );
      progress.close();
      if (flags.json === true) printJson(terminal, report);
      else print(terminal, summary(report));
    } finally {
      progress.close();
      process.off('SIGINT', stop).off('SIGTERM', stop);
    }
  });
}

function summary(report: AddReport): string {
  const skipped = Object.entries(report.skipped).filter(([, count]) => count > 0);
  const count = formatCount;
  return [
    `${report.target}: ${count(report.pageCount)} pages after sweep ${report.sweep}`,
    `read ${count(report.recordCount)} records in ${formatDuration(report.durationMs)}: ` +
      `${count(report.unchangedCount)} pages as before, ${count(report.changedCount)} changed, ` +
      `${count(report.newCount)} new, ${count(report.linkedCount)} known by links, ` +
      `${count(report.goneCount)} gone, ${count(report.hiddenCount)} forgotten`,
    `${count(report.newVersionCount)} new texts; ${count(report.touchedListCount)} lists of related pages renewed`,
    epochText(report.epoch),
    `index ${formatSize(report.indexBytes)}`,
    skipped.length === 0
      ? 'skipped nothing'
      : `skipped ${skipped.map(([reason, n]) => `${count(n)} ${reason}`).join(', ')}`,
  ].join('\n');
}
