import { Command } from 'commander';
import { ConfigError } from '../../../errors.ts';
import { resourcesOf } from '../../../indexer/files/budget.ts';
import type { KnobName } from '../../settings/config.ts';
import { requireFolder } from '../../settings/inputs.ts';
import { addKnobs, configOf } from '../../settings/options.ts';
import type { ReadingFlags } from '../../terminal/page-reading.ts';
import { withProgress } from '../../terminal/page-reading.ts';
import { formatCount, formatNumberOf } from '../../terminal/table.ts';
import { print, printReport, type Terminal } from '../../terminal/terminal.ts';
import { tellOfWaiting } from '../../terminal/waiting-pages.ts';

const NAMES: KnobName[] = ['memoryBytes', 'workerCount'];

const HELP = `
Each shard is an index file: akin check proves it, akin serve serves it. Served together they answer what the whole
answers: akin serve FOLDER, or one process each and akin serve --shards URL,URL before them.
A page is in the shard that the hash of its URL says. Lists lead to pages of other shards by URL and title.

Example:
  akin split web.akin --shards 4 --to shards/`;

interface SplitFlags extends Pick<ReadingFlags, 'to' | 'json' | 'verbose'> {
  readonly shards: string;
}

/** `akin split FILE --shards N --to FOLDER`: an index in N files. */
export function splitCommand(terminal: Terminal): Command {
  const command = new Command('split')
    .description('split an index into shards')
    .argument('<file>', 'the index')
    .requiredOption('--shards <N>', 'how many, 1 to 255')
    .requiredOption('--to <FOLDER>', 'where shard-00000-of-00004.akin and so on are written')
    .option('--json', 'print the report as JSON on standard output')
    .option('--verbose', 'print each stage on a line of its own')
    .addHelpText('after', HELP);
  addKnobs(command, NAMES);
  return command.action(async (source: string, flags: SplitFlags) => {
    const resources = resourcesOf(configOf(command, NAMES, terminal));
    const { MAX_SHARDS } = await import('../../../indexer/shards/split-index.ts');
    const { aside } = await import('../../aside/aside.ts');
    const shardCount = Number(flags.shards);
    if (!Number.isInteger(shardCount) || shardCount < 1 || shardCount > MAX_SHARDS) {
      throw new ConfigError('AKIN_ERR_CONFIG', `--shards is ${flags.shards}; it takes 1 to ${MAX_SHARDS}`);
    }
    requireFolder(flags.to, '--to shards/');
    const options = { source, shardCount, folder: flags.to, ...resources };
    const lastWords = ['akin: stopped; the shards are not complete', 'hint: run the same command again'];
    const report = await withProgress(terminal, { verbose: flags.verbose === true, lastWords }, (listener) =>
      aside('split', options, null, false, listener),
    );
    await tellOfWaiting(terminal, [source]);
    if (flags.json === true) {
      printReport(terminal, report);
      return;
    }
    const lines = report.shards.map(
      ({ path, ownPageCount, elsewhereCount }) =>
        `${path}: ${formatNumberOf(ownPageCount, 'page')}, names ${formatCount(elsewhereCount)} of other shards`,
    );
    print(terminal, lines.join('\n'));
  });
}
