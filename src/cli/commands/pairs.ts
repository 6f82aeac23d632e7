import { once } from 'node:events';
import { Command } from 'commander';
import type { PairOptions } from '../../indexer/relate/threshold-pairs.ts';
import { TOPIC } from '../../relations/topic.ts';
import { resourcesOf } from '../build/build-options.ts';
import type { KnobName } from '../settings/config.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { addKnobs, configOf } from '../settings/options.ts';
import { stoppable } from '../terminal/process-end.ts';
import { pairsText } from '../terminal/recall-text.ts';
import { formatCount } from '../terminal/table.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';

interface Flags {
  readonly at: string;
  readonly recall: string;
}

const NAMES: KnobName[] = ['memoryBytes', 'workerCount', 'seed'];
/** Lines of one write. */
const BATCH = 4096;

/** `akin pairs FILE`: every pair of pages at or above a similarity, one a line. */
export function pairsCommand(terminal: Terminal): Command {
  const command = new Command('pairs')
    .description('print every pair of pages at or above a similarity, as tab-separated lines')
    .argument('<file>', 'the index')
    .option('--at <X>', 'least similarity, 0.1 to 1', '0.2')
    .option(
      '--recall <X>',
      'share of the pairs to find; measured where exact search costs more; 1 searches exactly at any cost',
      '0.97',
    )
    .addHelpText(
      'after',
      `
Columns: url_a, url_b, similarity (exact). url_a comes before url_b, and lines are sorted. The last line on standard
error has the number of pairs and their recall. Pairs that do not fit in memory wait in the folder for temporary files.

Examples:
  akin pairs web.akin --at 0.5 > pairs.tsv`,
    );
  addKnobs(command, NAMES);
  return command.action(async (path: string, flags: Flags) => {
    const config = configOf(command, NAMES, terminal);
    const options = {
      ...resourcesOf(config),
      seed: config.seed,
      targetRecall: flagNumber('--recall', flags.recall, { min: 0.5, max: 1 }),
    };
    const least = flagNumber('--at', flags.at, { min: 0.1, max: 1 });
    await stoppable(
      () => tell(terminal, 'akin: stopped'),
      () => printPairs(terminal, path, least, options),
    );
  });
}

async function printPairs(
  terminal: Terminal,
  path: string,
  similarity: number,
  options: PairOptions,
): Promise<void> {
  const { IndexReader } = await import('../../store/read/reader.ts');
  const { withStoredPairs } = await import('../../indexer/relate/stored-pairs.ts');
  const reader = IndexReader.open(path);
  try {
    await withStoredPairs(
      reader,
      reader.relation(TOPIC.name)!.id,
      similarity,
      options,
      async (pairs, report) => {
        const urls = Array.from(reader.pages(), (page) => page.url);
        let count = 0;
        let lines = ['url_a\turl_b\tsimilarity\n'];
        const flush = async () => {
          if (!terminal.stdout.write(lines.join(''))) await once(terminal.stdout, 'drain');
          lines = [];
        };
        for (const [a, b, found] of pairs) {
          lines.push(`${urls[a]}\t${urls[b]}\t${found.toFixed(6)}\n`);
          count++;
          if (lines.length >= BATCH) await flush();
        }
        await flush();
        tell(terminal, `akin: ${formatCount(count)} pairs: ${pairsText(report)}`);
      },
    );
  } finally {
    reader.close();
  }
}
