import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import type { AddReport } from '../../indexer/add-index.ts';
import { INDEX_KNOBS, KNOBS, type KnobName } from '../settings/config.ts';
import { parseInputs } from '../settings/inputs.ts';
import { addRefusedKnobs, givenFlags, settle } from '../settings/options.ts';
import { epochText } from '../terminal/epoch-text.ts';
import {
  addReadingFlags,
  type ReadingFlags,
  requireFormatUse,
  skippedText,
  withProgress,
} from '../terminal/page-reading.ts';
import { formatCount, formatDuration, formatSize } from '../terminal/table.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';

const NAMES: KnobName[] = ['memoryBytes', 'workerCount', 'sweepName', 'format'];
/** What the index was built with. */
const FIXED = (Object.keys(INDEX_KNOBS) as KnobName[]).filter((name) => !NAMES.includes(name));
const TARGET = 'the index to change; it is replaced when the new state is whole';

const HELP = `
INPUT is what akin index takes. Every other setting is as the index was built. Give sweeps oldest first.
A server on the file answers throughout and turns to the new state when it is whole.

Pages that are not in the sweep stay as they are. A page that the sweep finds gone (404, 410) or leading
elsewhere keeps its history, and nothing is related to it any more; one that asks not to be indexed is
forgotten. Words that the full build did not know weigh nothing: akin show tells how many pages came since.

Examples:
  akin add crawl-2026-07.warc.gz --to web.akin
  akin add https://example.org/docs/=./site/docs --to docs.akin --sweep 2026-07`;

/** `akin add INPUT... --to FILE`: merges one more sweep into an index. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command('add')
    .description('merge one more sweep of pages into an index')
    .addHelpText('after', HELP);
  addReadingFlags(command, TARGET, NAMES);
  addRefusedKnobs(command, FIXED);
  return command.action(async (paths: string[], flags: ReadingFlags) => {
    requireNoneFixed(command);
    requireFormatUse(command, paths);
    const config = settle(command, NAMES, terminal);
    const isNamed =
      givenFlags(command, NAMES).sweepName !== undefined || !!terminal.env[INDEX_KNOBS.sweepName.env];
    const { addSweep } = await import('../../indexer/add-index.ts');
    const options = {
      inputs: parseInputs(paths, flags.base ?? null, config.format === 'auto' ? null : config.format),
      target: flags.to,
      sweepName: isNamed ? config.sweepName : null,
      memoryBytes: config.memoryBytes,
      workerCount: config.workerCount || availableParallelism(),
    };
    const lastWords = ['akin: stopped; the index is as it was'];
    const verbose = flags.verbose === true;
    const report = await withProgress(terminal, { verbose, lastWords }, (listener) =>
      addSweep(options, listener),
    );
    if (flags.json === true) printJson(terminal, report);
    else print(terminal, summary(report));
  });
}

/** Errors  InputError AKIN_ERR_OPTION for settings that a build alone makes. */
function requireNoneFixed(command: Command): void {
  const given = Object.keys(givenFlags(command, FIXED)) as KnobName[];
  if (given.length === 0) return;
  const flags = given.map((name) => KNOBS[name].flag).join(', ');
  throw new InputError('AKIN_ERR_OPTION', `${flags}: fixed since akin index built the index`, {
    hint: `leave it out; for another value build anew: akin index INPUT... --to FILE ${flags.replaceAll(',', '')} ...`,
  });
}

function summary(report: AddReport): string {
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
    skippedText(report.skipped),
  ].join('\n');
}
