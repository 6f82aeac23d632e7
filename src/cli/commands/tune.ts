import { statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { optionFault } from '../../errors.ts';
import { resourcesOf } from '../../indexer/files/budget.ts';
import { newWorkFolder } from '../aside/work-folder.ts';
import type { KnobName } from '../settings/config.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { addKnobs, configOf } from '../settings/options.ts';
import { withProgress } from '../terminal/page-reading.ts';
import { print, printReport, type Terminal } from '../terminal/terminal.ts';
import { OBJECTIVES, type Objective, OWN_JUDGES, type OwnJudgeName } from '../tune/judge.ts';
import type { TuneOrder } from '../tune/tune-work.ts';

const HELP = `
Weighs the parts of pages (content, title, headings, bigrams, anchor, links) in other ways, makes the lists of sampled
pages as an index would, and says what each way gains. What is chosen on one half of the pages is measured on the other half.

Without labels the collection itself judges: by pages that are cited together, by the folders of URLs, or by earlier
texts of pages that must find them as they are now. What the first of them that knows enough finds better counts only
where none of the others finds it worse.
The kernel is tried, too (--kernel bm25, for short posts); hits are said beside P@10, and what loses some beyond doubt is not proposed.
TSV is as for akin evaluate: url and label, one page a line, 50 pages at least. With labels, of an index with vectors, shares of these are tried, too
(--meaning-share).

Examples:
  akin tune web.akin --labels labels.tsv
  akin tune web.akin --labels classes.tsv --objective gamma
  akin tune web.akin
  akin tune web.akin --judge sections --sample 2000 --json`;

const NAMES: KnobName[] = ['memoryBytes', 'workerCount'];

interface Flags {
  readonly labels?: string;
  readonly labelColumn?: string;
  readonly objective: Objective;
  readonly judge?: OwnJudgeName;
  readonly sample: string;
  readonly seed: string;
  readonly json?: true;
}

/** `akin tune FILE [--labels TSV]`: finds shares of the parts that give better lists. */
export function tuneCommand(terminal: Terminal): Command {
  const command = new Command('tune')
    .description('find shares of the parts of pages, and a kernel, that give better lists')
    .argument('<file>', 'the index; it is not changed')
    .option('--labels <TSV>', 'labels of pages; pages that share one are related')
    .option('--label-column <NAME>', 'the column of the labels, if it has none of the usual names')
    .addOption(
      new Option(
        '--objective <NAME>',
        'with labels: precision, or gamma for labels that are paths of classes, by how near classes are',
      )
        .choices(OBJECTIVES)
        .default(OBJECTIVES[0]),
    )
    .addOption(
      new Option('--judge <NAME>', 'without labels, what says which pages are related').choices(OWN_JUDGES),
    )
    .option('--sample <N>', 'pages whose lists are made, 100 to 50000', '5000')
    .option('--seed <N>', 'seed of the sample and of its halves', '1')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP);
  return addKnobs(command, NAMES).action(async (path: string, flags: Flags) => {
    const options = {
      sampleSize: flagNumber('--sample', flags.sample, { min: 100, max: 50_000, whole: true }),
      seed: flagNumber('--seed', flags.seed, { min: 0, max: 2 ** 32 - 1, whole: true }),
    };
    const asked = readJudge(flags);
    const resources = resourcesOf(configOf(command, NAMES, terminal));
    const { storedOptions } = await import('../../indexer/options/parameters.ts');
    const { openWhole } = await import('../../store/read/shard-files.ts');
    const { optionsOf, renderTuning } = await import('../tune/tune-report.ts');
    const { keptSettings } = await import('../tune/kept-settings.ts');
    const { aside } = await import('../aside/aside.ts');
    const reader = openWhole(path);
    const stored = storedOptions(reader);
    reader.close();
    requireOwnProfile(path, stored.profile);
    const { folder, remove } = newWorkFolder('tune');
    const progress = { verbose: false, lastWords: ['akin: stopped'], onStop: remove };
    const { labels = null, labelColumn = null } = flags;
    const order = { path, folder, resources, labels, labelColumn, ...asked, ...options };
    try {
      const report = await withProgress(terminal, progress, (listener) =>
        aside('tune', order, statSync(path).size, false, listener),
      );
      const kept = keptSettings(stored, report.best);
      if (flags.json === true) printReport(terminal, { ...report, options: optionsOf(report), kept });
      else print(terminal, renderTuning(report, kept));
    } finally {
      remove();
    }
  });
}

type Asked = Pick<TuneOrder, 'judge' | 'objective'>;

function readJudge({ judge, labels, labelColumn, objective }: Flags): Asked {
  const idle =
    labels === undefined
      ? (labelColumn !== undefined && '--label-column is for labels: give --labels TSV') ||
        (objective !== OBJECTIVES[0] && '--objective is for labels: give --labels TSV')
      : judge !== undefined && '--judge is for collections without labels; leave it or --labels out';
  if (idle) throw optionFault(idle, 'akin help tune shows both ways');
  return { judge: judge ?? null, objective };
}

/** Errors  InputError AKIN_ERR_OPTION for an index of the printed profile, whose lists are estimates of one fixed bag. */
function requireOwnProfile(path: string, profile: string): void {
  if (profile === 'akin') return;
  throw optionFault(
    `${path} has the profile ${profile}, which is kept as printed`,
    'build with the default profile: akin index INPUT... --to FILE',
  );
}
