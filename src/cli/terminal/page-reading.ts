/** What the commands that read pages share: flags, progress and the summary of skipped records. */
import type { Command } from 'commander';
import { optionFault } from '../../errors.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { KnobName } from '../settings/config.ts';
import { addKnobs } from '../settings/options.ts';
import { stoppable } from './process-end.ts';
import { ProgressReporter } from './progress.ts';
import { formatCount, formatCounts } from './table.ts';
import { printable, type Terminal, tell } from './terminal.ts';

export interface ReadingFlags {
  readonly to: string;
  readonly base?: string;
  readonly cleanUrls?: true;
  readonly followLinks?: true;
  readonly sweepPerInput?: true;
  readonly whole?: true;
  readonly wholeSweep?: readonly string[];
  readonly json?: true;
  readonly verbose?: true;
}

export function addReadingFlags(
  command: Command,
  target: string,
  names: readonly KnobName[],
  inputs = '<input...>',
): Command {
  command
    .argument(inputs, 'what to read; see below')
    .requiredOption('--to <FILE>', target)
    .option('--base <URL>', 'URL of each folder that is given without one')
    .option('--clean-urls', 'a page of a folder is known without its .html: a.html is /a')
    .option(
      '--follow-links',
      'links of a folder may lead out of it; without this they are counted as unreadable',
    )
    .option(
      '--sweep-per-input',
      'each input is a sweep of its own, oldest first, named by its file or folder',
    )
    .option(
      '--whole',
      'each sweep is the complete state of its sites: pages that it does not have are gone, and links to others make none',
    )
    .option(
      '--whole-sweep <NAME>',
      'with --sweep-per-input: of this sweep alone; repeat it for several',
      (one: string, others: readonly string[] = []) => [...others, one],
    )
    .option('--json', 'print the report as JSON on standard output')
    .option(
      '--verbose',
      'say how all was found, and name every skipped record, not only the first 20 of each reason',
    );
  return addKnobs(command, names);
}

/** Errors  InputError AKIN_ERR_OPTION for `--format` without standard input. */
export function requireFormatUse(format: string | undefined, inputs: readonly string[]): void {
  if (format === undefined || inputs.includes('-')) return;
  throw optionFault(
    '--format is for standard input (-), which is not among the inputs',
    'leave it out: the format of a file is recognized by its first bytes',
  );
}

/** Errors  InputError AKIN_ERR_OPTION for `--sweep` where each sweep has the name of its input. */
export function requireSweepUse(sweep: string | undefined, { sweepPerInput }: ReadingFlags): void {
  if (sweep === undefined || sweepPerInput !== true) return;
  throw optionFault(
    '--sweep has no effect with --sweep-per-input: inputs name sweeps',
    'leave one of them out',
  );
}

/**
 * Runs `work` with its progress on standard error. If a signal stops it, prints `lastWords`, calls `onStop` and ends the
 * process.
 */
export async function withProgress<Report>(
  terminal: Terminal,
  how: { readonly verbose: boolean; readonly lastWords: readonly string[]; readonly onStop?: () => void },
  work: (listener: BuildListener) => Promise<Report>,
): Promise<Report> {
  const progress = new ProgressReporter(terminal.stderr, {
    verbose: how.verbose,
    now: () => performance.now(),
  });
  const onStop = () => {
    progress.close();
    for (const line of how.lastWords) tell(terminal, line);
    how.onStop?.();
  };
  try {
    const report = await stoppable(onStop, () => work(progress));
    progress.close();
    progress.warnOfDamage();
    return report;
  } finally {
    progress.close();
  }
}

/** `skipped 3 duplicate, 1 empty`. */
export function skippedText(skipped: Readonly<Partial<Record<string, number>>>): string {
  return formatCounts(skipped, 'skipped ') || 'skipped nothing';
}

/** `files that are no pages: .md 12, .xml 3`, most first; nothing where there are none. */
export function skippedFilesText(files: Readonly<Partial<Record<string, number>>>): string[] {
  const named = Object.entries(files)
    .sort(([a, m = 0], [b, n = 0]) => n - m || (a < b ? -1 : 1))
    .map(([extension, count = 0]) => `${printable(extension)} ${formatCount(count)}`);
  return named.length === 0 ? [] : [`files that are neither HTML nor text: ${named.join(', ')}`];
}
