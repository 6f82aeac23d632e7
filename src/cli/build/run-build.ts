import type { BuildReport } from '../../indexer/build-report.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import { withProgress } from '../terminal/page-reading.ts';
import { print, printReport, type Terminal, tell } from '../terminal/terminal.ts';
import { tellOfWaiting } from '../terminal/waiting-pages.ts';
import { brokenText, emptinessText, farApartText, missedTargets } from './report-text.ts';

/** Runs a build with its progress on standard error; Ctrl-C keeps what is complete. */
export async function build(
  options: BuildOptions,
  terminal: Terminal,
  verbose: boolean,
  work: 'build' | 'changeShards' = 'build',
): Promise<BuildReport> {
  const { aside } = await import('../aside/aside.ts');
  const { inputBytes } = await import('../../indexer/options/input-bytes.ts');
  const isPiped = options.inputs.some(({ path }) => path === '-');
  const lastWords = ['akin: stopped; completed stages are kept', 'hint: run the same command to continue'];
  return withProgress(terminal, { verbose, lastWords }, (listener) =>
    aside(work, options, inputBytes(options.inputs), isPiped, listener),
  );
}

/** Runs a build and prints what it did, with a warning of each search that missed its target. */
export async function buildAndReport(
  options: BuildOptions,
  terminal: Terminal,
  flags: { readonly json?: true; readonly verbose?: true },
  textOf: (report: BuildReport, verbose: boolean) => string,
  work: 'build' | 'changeShards' = 'build',
): Promise<void> {
  const report = await build(options, terminal, flags.verbose === true, work);
  if (report.isRepeated)
    tell(terminal, 'akin: an earlier run had done this and ended before it said so; nothing was done again');
  if (flags.json === true) printReport(terminal, report);
  else print(terminal, textOf(report, flags.verbose === true));
  const empty = emptinessText(report, options);
  const warnings = [
    ...brokenText(report),
    ...farApartText(report),
    ...missedTargets(report, options.targetRecall),
    ...(empty === null ? [] : [empty]),
  ];
  for (const warning of warnings) tell(terminal, `akin: ${warning}`);
  // What waits beside the target stays there.
  const others = options.inputs.map(({ path }) => path).filter((path) => path !== options.target);
  if (work === 'build') await tellOfWaiting(terminal, others);
}
