import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { ConfigError } from '../../errors.ts';
import { type Terminal, tell } from '../terminal.ts';

interface Flags {
  readonly at: string;
  readonly recall: string;
}

/** `akin pairs FILE`: every pair of pages at or above a similarity, a line each, by URL. */
export function pairsCommand(terminal: Terminal): Command {
  return new Command('pairs')
    .description('print every pair of pages that are at least so similar, as tab-separated lines')
    .argument('<file>', 'the index')
    .option('--at <X>', 'least similarity, 0.1 to 1', '0.2')
    .option('--recall <X>', 'share of the pairs to find, measured while it runs', '0.97')
    .addHelpText(
      'after',
      `
Columns: url_a, url_b, similarity (exact), url_a before url_b, sorted. The recall that was measured is told at
the end, on standard error.

Examples:
  akin pairs web.akin --at 0.5 > pairs.tsv`,
    )
    .action((path: string, flags: Flags) => printPairs(terminal, path, flags));
}

async function printPairs(terminal: Terminal, path: string, flags: Flags): Promise<void> {
  const threshold = numberWithin('--at', flags.at, 0.1, 1);
  const targetRecall = numberWithin('--recall', flags.recall, 0.5, 1);
  const { IndexReader } = await import('../../store/reader.ts');
  const { storedBags } = await import('../../indexer/stored-bags.ts');
  const { joinCrew } = await import('../../indexer/join-crew.ts');
  const { thresholdJoin } = await import('../../join/threshold-join.ts');
  const { eachPair } = await import('../../join/threshold-pairs.ts');
  const reader = IndexReader.open(path);
  try {
    const matrix = storedBags(reader, reader.relation('topic')!.id);
    const crew = joinCrew(availableParallelism());
    const pairs = await thresholdJoin(matrix, { threshold, targetRecall, crew });
    const urls = Array.from(reader.pages(), (page) => page.url);
    terminal.stdout.write('url_a\turl_b\tsimilarity\n');
    let lines: string[] = [];
    let count = 0;
    for (const [a, b, similarity] of eachPair(pairs)) {
      lines.push(`${urls[a]}\t${urls[b]}\t${similarity.toFixed(6)}\n`);
      count++;
      if (lines.length < 4096) continue;
      if (!terminal.stdout.write(lines.join(''))) await once(terminal.stdout, 'drain');
      lines = [];
    }
    terminal.stdout.write(lines.join(''));
    tell(terminal, `akin: ${count} pairs; recall measured on sampled pages ${pairs.recall.toFixed(3)}`);
  } finally {
    reader.close();
  }
}

function numberWithin(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new ConfigError('AKIN_ERR_CONFIG', `${flag} is ${text}; it takes a number from ${min} to ${max}`);
}
