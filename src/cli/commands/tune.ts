import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { InputError } from '../../errors.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { resourcesOf } from '../build/build-options.ts';
import type { KnobName } from '../settings/config.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { addKnobs, configOf } from '../settings/options.ts';
import { withProgress } from '../terminal/page-reading.ts';
import { print, printJson, type Terminal } from '../terminal/terminal.ts';
import { OWN_JUDGES, type OwnJudgeName } from '../tune/judge.ts';
import type { OwnJudges } from '../tune/own-judges.ts';

const HELP = `
Weighs the parts of pages (content, title, headings, bigrams, anchor, links) in other ways, makes the lists of sampled
pages as an index would, and says what each way gains. What is chosen on one half of the pages is measured on the other half.

Without labels the collection itself judges: by pages that are cited together, by the folders of URLs, or by earlier
texts of pages that must find them as they are now. What the first of them that knows enough finds better counts only
where none of the others finds it worse.
TSV is as for akin evaluate: url and label, one page a line.

Examples:
  akin tune web.akin --labels labels.tsv
  akin tune web.akin --labels classes.tsv --objective gamma
  akin tune web.akin
  akin tune web.akin --judge sections --sample 2000 --json`;

const NAMES: KnobName[] = ['memoryBytes', 'workerCount'];
const OBJECTIVES = ['precision', 'gamma'] as const;
type Objective = (typeof OBJECTIVES)[number];

interface Flags {
  readonly labels?: string;
  readonly labelColumn?: string;
  readonly objective: string;
  readonly judge?: string;
  readonly sample: string;
  readonly seed: string;
  readonly json?: true;
}

/** `akin tune FILE [--labels TSV]`: finds shares of the parts that give better lists. */
export function tuneCommand(terminal: Terminal): Command {
  const command = new Command('tune')
    .description('find shares of the parts of pages that give better lists')
    .argument('<file>', 'the index; it is not changed')
    .option('--labels <TSV>', 'labels of pages; pages that share one are related')
    .option('--label-column <NAME>', 'the column of the labels, if it has none of the usual names')
    .option(
      '--objective <NAME>',
      'with labels: precision, or gamma for labels that are paths of classes, by how near classes are',
      OBJECTIVES[0],
    )
    .option('--judge <NAME>', `without labels, what says which pages are related: ${OWN_JUDGES.join(', ')}`)
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
    const { IndexReader } = await import('../../store/read/reader.ts');
    const { indexAlone, readStoredOptions } = await import('../../indexer/options/stored-options.ts');
    const { tuneIndex } = await import('../tune/tune-index.ts');
    const { optionsOf, renderTuning } = await import('../tune/tune-report.ts');
    const stored = readStoredOptions(path);
    requireOwnProfile(path, stored.profile);
    const reader = IndexReader.open(path);
    const folder = mkdtempSync(join(tmpdir(), 'akin-tune-'));
    const removeFolder = () => rmSync(folder, { recursive: true, force: true });
    const progress = { verbose: false, lastWords: ['akin: stopped'], onStop: removeFolder };
    try {
      const { judge, others, heldOut } = await judgesOf(reader, flags, asked, options.seed);
      const build = {
        ...stored,
        copies: false,
        keepText: false,
        search: false,
        ...indexAlone(path),
        unlinked: heldOut.map((page) => reader.page(page).url),
        target: join(folder, 'tune.akin'),
        ...resources,
      };
      const report = await withProgress(terminal, progress, (listener) =>
        tuneIndex(reader, judge, build, { ...options, others }, listener),
      );
      if (flags.json === true) printJson(terminal, { ...report, options: optionsOf(report) });
      else print(terminal, renderTuning(report));
    } finally {
      reader.close();
      removeFolder();
    }
  });
}

interface Asked {
  readonly judge: OwnJudgeName | null;
  readonly objective: Objective;
}

function readJudge({ judge, labels, labelColumn, objective }: Flags): Asked {
  const idle =
    labels === undefined
      ? (labelColumn !== undefined && '--label-column is for labels: give --labels TSV') ||
        (objective !== OBJECTIVES[0] && '--objective is for labels: give --labels TSV')
      : judge !== undefined && '--judge is for collections without labels; leave it or --labels out';
  if (idle) throw new InputError('AKIN_ERR_OPTION', idle, { hint: 'akin help tune shows both ways' });
  return {
    judge: judge === undefined ? null : oneOf('--judge', judge, OWN_JUDGES),
    objective: oneOf('--objective', objective, OBJECTIVES),
  };
}

function oneOf<Name extends string>(flag: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new InputError('AKIN_ERR_OPTION', `${flag} is "${given}"`, { hint: `allowed: ${names.join(', ')}` });
}

/**
 * Errors  InputError AKIN_ERR_OPTION for judged pairs, which are too few to tell shares apart, and for Gamma where labels
 *         are no paths; as `findJudged`.
 */
async function judgesOf(
  reader: IndexReader,
  flags: Flags,
  { judge, objective }: Asked,
  seed: number,
): Promise<OwnJudges> {
  if (flags.labels === undefined) {
    const { judgesOfCollection } = await import('../tune/own-judges.ts');
    return judgesOfCollection(reader, judge, seed);
  }
  const { judgeByClasses, judgeByLabels } = await import('../tune/judge-by-labels.ts');
  const { readJudgementTable, readTable } = await import('../evaluate/judgement-table.ts');
  const { findJudged, findSeparator, SEPARATORS } = await import('../evaluate/judgements.ts');
  const table = readJudgementTable(flags.labels, readTable(flags.labels), flags.labelColumn ?? null);
  const { labels } = findJudged(reader, flags.labels, table);
  if (labels === null) {
    throw new InputError(
      'AKIN_ERR_OPTION',
      `${flags.labels} has judged pairs; akin tune takes labels of pages`,
      { hint: 'akin evaluate FILE --labels TSV measures by judged pairs' },
    );
  }
  if (objective === 'precision') return { judge: judgeByLabels(labels), others: [], heldOut: [] };
  const separator = findSeparator(labels);
  if (separator === null) {
    throw new InputError('AKIN_ERR_OPTION', `the labels of ${flags.labels} are no paths of classes`, {
      hint: `Gamma needs labels such as Science/Physics, with one of ${SEPARATORS.join(' ')} in most of them`,
    });
  }
  return { judge: judgeByClasses(labels, separator), others: [], heldOut: [] };
}

/** Errors  InputError AKIN_ERR_OPTION for an index of the printed profile, whose lists are estimates of one fixed bag. */
function requireOwnProfile(path: string, profile: string): void {
  if (profile === 'akin') return;
  throw new InputError('AKIN_ERR_OPTION', `${path} has the profile ${profile}, which is kept as printed`, {
    hint: 'build with the default profile: akin index INPUT... --to FILE',
  });
}
