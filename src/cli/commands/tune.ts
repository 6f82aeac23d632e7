import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { flagNumber } from '../settings/knob.ts';
import { withProgress } from '../terminal/page-reading.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';
import { JUDGE_NAMES, type Judge } from '../tune/judges.ts';

const HELP = `
Weighs the parts of pages (content, title, headings, bigrams, anchor, links) in other ways, makes the lists of sampled pages as an index
would, and says what each way gains. What is chosen on one half of the pages is told on the other half.

Without labels the collection itself judges: its links, or else the folders of its URLs.
TSV is as for akin evaluate: url and label, one page a line.

Examples:
  akin tune web.akin --labels labels.tsv
  akin tune web.akin
  akin tune web.akin --judge sections --sample 2000 --json`;

interface Flags {
  readonly labels?: string;
  readonly labelColumn?: string;
  readonly judge?: string;
  readonly sample: string;
  readonly seed: string;
  readonly json?: true;
}

/** `akin tune FILE [--labels TSV]`: finds shares of the parts that give better lists. */
export function tuneCommand(terminal: Terminal): Command {
  return new Command('tune')
    .description('find shares of the parts of pages that give better lists')
    .argument('<file>', 'the index; it is not changed')
    .option('--labels <TSV>', 'labels of pages; pages that share one are related')
    .option('--label-column <NAME>', 'the column of the labels, if it has none of the usual names')
    .option(
      '--judge <NAME>',
      `without labels, what says which pages are related: ${JUDGE_NAMES.join(' or ')}`,
    )
    .option('--sample <N>', 'pages whose lists are made, 100 to 50000', '5000')
    .option('--seed <N>', 'seed of the sample and of its halves', '1')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (path: string, flags: Flags) => {
      const options = {
        sampleSize: flagNumber('--sample', flags.sample, { min: 100, max: 50_000, whole: true }),
        seed: flagNumber('--seed', flags.seed, { min: 0, max: 2 ** 32 - 1, whole: true }),
      };
      const judgeName = readJudge(flags);
      const { IndexReader } = await import('../../store/read/reader.ts');
      const { indexAlone, readStoredOptions } = await import('../../indexer/options/stored-options.ts');
      const { tuneIndex } = await import('../tune/tune-index.ts');
      const { optionsOf, renderTuning } = await import('../tune/tune-report.ts');
      const reader = IndexReader.open(path);
      const folder = mkdtempSync(join(tmpdir(), 'akin-tune-'));
      try {
        const stored = readStoredOptions(path);
        requireOwnProfile(path, stored.profile);
        const judge = await judgeOf(reader, flags, judgeName);
        const build = {
          ...stored,
          copies: false,
          keepText: false,
          search: false,
          ...indexAlone(path),
          target: join(folder, 'tune.akin'),
          memoryBytes: MEMORY_BYTES,
          workerCount: 1,
        };
        const report = await withProgress(
          terminal,
          { verbose: false, lastWords: ['akin: stopped'] },
          (listener) => tuneIndex(reader, judge, build, options, listener),
        );
        if (flags.json === true) printJson(terminal, { ...report, options: optionsOf(report) });
        else print(terminal, renderTuning(report));
      } finally {
        reader.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
}

/** Of the tables of counting; the pages of the sample come on top. */
const MEMORY_BYTES = 2 ** 29;

type OwnJudge = (typeof JUDGE_NAMES)[number];

function readJudge({ judge, labels, labelColumn }: Flags): OwnJudge | null {
  const idle =
    labels === undefined
      ? labelColumn !== undefined && '--label-column is for labels: give --labels TSV'
      : judge !== undefined && '--judge is for collections without labels; leave it or --labels out';
  if (idle) throw new InputError('AKIN_ERR_OPTION', idle, { hint: 'akin help tune shows both ways' });
  if (judge === undefined) return null;
  const found = JUDGE_NAMES.find((name) => name === judge);
  if (found !== undefined) return found;
  throw new InputError('AKIN_ERR_OPTION', `--judge is "${judge}"`, {
    hint: `allowed: ${JUDGE_NAMES.join(', ')}`,
  });
}

/** Errors  InputError AKIN_ERR_OPTION for judged pairs, which are too few to tell shares apart; as `findJudged`. */
async function judgeOf(reader: IndexReader, flags: Flags, name: OwnJudge | null): Promise<Judge> {
  const { judgeByLabels, judgeOfCollection } = await import('../tune/judges.ts');
  if (flags.labels === undefined) return judgeOfCollection(reader, name);
  const { readJudgementTable, readTable } = await import('../evaluate/judgement-table.ts');
  const { findJudged } = await import('../evaluate/judgements.ts');
  const table = readJudgementTable(flags.labels, readTable(flags.labels), flags.labelColumn ?? null);
  const { labels } = findJudged(reader, flags.labels, table);
  if (labels !== null) return judgeByLabels(labels);
  throw new InputError(
    'AKIN_ERR_OPTION',
    `${flags.labels} has judged pairs; akin tune takes labels of pages`,
    {
      hint: 'akin evaluate FILE --labels TSV measures by judged pairs',
    },
  );
}

/** Errors  InputError AKIN_ERR_OPTION for an index of the printed profile, whose lists are estimates of one fixed bag. */
function requireOwnProfile(path: string, profile: string): void {
  if (profile === 'akin') return;
  throw new InputError('AKIN_ERR_OPTION', `${path} has the profile ${profile}, which is kept as printed`, {
    hint: 'build with the default profile: akin index INPUT... --to FILE',
  });
}
