import { Command, Option } from 'commander';
import { optionFault } from '../../errors.ts';
import { MEANING } from '../../relations/meaning.ts';
import { TOPIC } from '../../relations/topic.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { JudgementTable } from '../evaluate/judgement-table.ts';
import { SEPARATORS, type Separator } from '../evaluate/judgements.ts';
import { replaceFile, requireReportFile } from '../evaluate/report/report-file.ts';
import type { EvaluationOptions } from '../evaluate/report.ts';
import { flagNumber } from '../settings/flag-number.ts';
import { print, printReport, type Terminal, tell } from '../terminal/terminal.ts';

const HELP = `
TSV has a line of column names, then one line for each page or judged pair, with tabs between cells:
  url, and label, labels, class, categories, section or tags    several labels in one cell as a|b
  url_a, url_b, grade                                           judged pairs, grade a number from 0

Labels that are paths (Science/Biology/Birds, or with dots) are compared as a tree too.

JSONL is what akin serve FILE --feedback writes: url, related_url and judgement (better, worse) on each line.

Examples:
  akin evaluate web.akin --feedback web.akin.feedback.jsonl
  akin evaluate web.akin --labels labels.tsv
  akin evaluate web.akin --labels labels.tsv --by meaning
  akin evaluate web.akin --labels pages.tsv --label-column topic --html report.html
  akin evaluate web.akin --labels judged.tsv --relevant-from 3 --at 5,10,20 --json`;

interface Flags {
  readonly labels?: string;
  readonly feedback?: string;
  readonly labelColumn?: string;
  readonly by: typeof TOPIC.name | typeof MEANING.name;
  readonly vector?: string;
  readonly at: string;
  readonly relevantFrom?: string;
  readonly separator: Separator | 'auto' | 'none';
  readonly sample: string;
  readonly seed: string;
  readonly html?: string;
  readonly trec?: string;
  readonly json?: true;
}

/** Flags that say how labels or judged pairs are used. */
const LABEL_FLAGS = [
  'labels',
  'labelColumn',
  'relevantFrom',
  'separator',
  'sample',
  'seed',
  'html',
  'trec',
] as const;

/** `akin evaluate FILE --labels TSV` or `--feedback JSONL`: measures how good the lists and clusters of an index are. */
export function evaluateCommand(terminal: Terminal): Command {
  return new Command('evaluate')
    .description('measure neighbors and clusters against labels, judged pairs or feedback')
    .argument('<file>', 'the index')
    .option('--labels <TSV>', 'labels of pages, or judged pairs; see below')
    .option('--feedback <JSONL>', 'judgements that POST /feedback has kept, in place of labels')
    .addOption(
      new Option('--by <RELATION>', 'which lists: those by words, or those by vectors of your own')
        .choices([TOPIC.name, MEANING.name])
        .default(TOPIC.name),
    )
    .option('--vector <NAME>', 'with --by meaning: the name of the vectors, where there are several')
    .option('--label-column <NAME>', 'the column of the labels, if it has none of the names below')
    .option(
      '--at <K,K,...>',
      'list lengths to measure at, from 1 to the neighbors that the index keeps for a page',
      '1,5,10',
    )
    .option('--relevant-from <GRADE>', 'the least grade that is relevant (default anything above 0)')
    .addOption(
      new Option('--separator <SIGN>', 'what separates the steps of a label')
        .choices(['auto', ...SEPARATORS, 'none'])
        .default('auto'),
    )
    .option('--sample <N>', 'pages sampled for recall and for Gamma, 1 to 4096', '256')
    .option('--seed <N>', 'seed of the samples', '1')
    .option('--html <REPORT.html>', 'also write the report, with plots, as one HTML page')
    .option('--trec <PREFIX>', 'also write PREFIX.run and PREFIX.qrels, for trec_eval and its like')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (path: string, flags: Flags, command: Command) => {
      const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
      const options = readOptions(flags);
      if (flags.feedback === undefined) {
        const labels = requireLabels(flags.labels);
        await againstLabels(terminal, path, { ...flags, labels }, options, isGiven);
      } else {
        refuseLabelFlags(command, isGiven);
        await againstFeedback(terminal, path, { ...flags, feedback: flags.feedback }, options, isGiven);
      }
    });
}

type IsGiven = (name: string) => boolean;

async function againstLabels(
  terminal: Terminal,
  path: string,
  flags: Flags & { readonly labels: string },
  options: EvaluationOptions,
  isGiven: IsGiven,
): Promise<void> {
  const inputs = [path, flags.labels];
  if (flags.html !== undefined) await requireReportFile(flags.html, inputs, '--html report.html');
  if (flags.trec !== undefined) {
    for (const ending of ['run', 'qrels'])
      await requireReportFile(`${flags.trec}.${ending}`, inputs, '--trec web');
  }
  const { readJudgementTable, readTable } = await import('../evaluate/judgement-table.ts');
  const { findJudged } = await import('../evaluate/judgements.ts');
  const { evaluateIndex } = await import('../evaluate/evaluate-index.ts');
  const { renderText } = await import('../evaluate/report/report-tables.ts');
  const table = readJudgementTable(flags.labels, readTable(flags.labels), flags.labelColumn ?? null);
  requireUse(table, flags, isGiven('separator'));
  const best =
    table.kind === 'pairs' ? table.rows.reduce((most, { grade }) => Math.max(most, grade), 0) : Infinity;
  if (options.relevantFrom !== null && best < options.relevantFrom) {
    const text = `no grade is as great as --relevant-from ${options.relevantFrom}, so no page is relevant; the greatest is ${best}`;
    tell(terminal, `akin: warning: ${text}`);
  }
  await withRelation(path, flags, options.at, isGiven, async (reader, relation) => {
    const judged = findJudged(reader, flags.labels, table);
    const report = evaluateIndex(reader, relation, judged, options);
    if (flags.trec !== undefined) {
      const { writeTrec } = await import('../exports/trec.ts');
      await writeTrec(terminal, flags.trec, reader, relation.id, judged.relevance);
      tell(terminal, `run and judgements: ${flags.trec}.run, ${flags.trec}.qrels`);
    }
    if (flags.json === true) printReport(terminal, report);
    else print(terminal, renderText(report));
    if (flags.html === undefined) return;
    const { renderHtml } = await import('../evaluate/report/html-report.ts');
    replaceFile(flags.html, renderHtml(report));
    tell(terminal, `report: ${flags.html}`);
  });
}

async function againstFeedback(
  terminal: Terminal,
  path: string,
  flags: Flags & { readonly feedback: string },
  { at }: EvaluationOptions,
  isGiven: IsGiven,
): Promise<void> {
  const { readFeedback } = await import('../../store/feedback-log.ts');
  const { renderFeedback, reportFeedback } = await import('../evaluate/report/feedback-report.ts');
  const stored = readFeedback(flags.feedback);
  await withRelation(path, flags, at, isGiven, async (reader, relation) => {
    const report = reportFeedback(reader, relation, flags.feedback, stored, at);
    if (flags.json === true) printReport(terminal, report);
    else print(terminal, renderFeedback(report));
  });
}

/** Errors  InputError AKIN_ERR_OPTION where the index does not hold the relation, or lists that are as long; as `openWhole`. */
async function withRelation(
  path: string,
  { by, vector }: Pick<Flags, 'by' | 'vector'>,
  at: readonly number[],
  isGiven: IsGiven,
  use: (reader: IndexReader, relation: RelationRecord) => Promise<void>,
): Promise<void> {
  const { openWhole } = await import('../../store/read/shard-files.ts');
  using reader = openWhole(path);
  const relation = by === MEANING.name ? ofVectors(reader, vector) : ofWords(reader, vector);
  requireStored(at, relation.neighborLimit, isGiven('at'));
  await use(reader, relation);
}

/** Errors  InputError AKIN_ERR_OPTION where there is none, or vectors are named. */
function ofWords(reader: IndexReader, vector: string | undefined): RelationRecord {
  if (vector !== undefined) {
    throw optionFault(
      '--vector has no effect on lists by words',
      `give --by ${MEANING.name}, or leave it out`,
    );
  }
  const relation = reader.relation(TOPIC.name);
  if (relation !== undefined) return relation;
  throw optionFault(
    `${reader.path} has no relation ${TOPIC.name}`,
    'build the index again: akin index INPUT... --to FILE',
  );
}

/** Errors  InputError AKIN_ERR_OPTION where the index has none of the name, or several and none is named. */
function ofVectors(reader: IndexReader, vector: string | undefined): RelationRecord {
  const all = reader.card().relations.filter(({ name }) => name === MEANING.name);
  const chosen = all.filter(({ profile }) => vector === undefined || profile === vector);
  if (chosen.length === 1) return chosen[0]!;
  const names = all.map(({ profile }) => profile).join(', ');
  const what = vector === undefined ? 'vectors of one name' : `vectors of the name ${vector}`;
  throw optionFault(
    `${reader.path} has no ${what}`,
    all.length === 0 ? 'give pages vectors, and build it again' : `name one of these with --vector: ${names}`,
  );
}

function requireLabels(labels: string | undefined): string {
  if (labels !== undefined) return labels;
  throw optionFault(
    'there is nothing to measure against',
    'give --labels TSV, or --feedback JSONL; akin help evaluate shows both',
  );
}

/** Errors  InputError AKIN_ERR_OPTION for a flag that feedback has no use for. */
function refuseLabelFlags(command: Command, isGiven: IsGiven): void {
  const idle = LABEL_FLAGS.find(isGiven);
  if (idle === undefined) return;
  const flag = command.options.find((option) => option.attributeName() === idle)!.long;
  throw optionFault(`${flag} has no effect with --feedback`, 'leave one of them out');
}

function readOptions(flags: Flags): EvaluationOptions {
  return {
    at: flags.at.split(',').map((text) => flagNumber('--at', text, { min: 1, max: 255, whole: true })),
    relevantFrom: flags.relevantFrom === undefined ? null : grade(flags.relevantFrom),
    separator: flags.separator === 'none' ? null : flags.separator,
    sampleSize: flagNumber('--sample', flags.sample, { min: 1, max: 4096, whole: true }),
    seed: flagNumber('--seed', flags.seed, { min: 0, max: 2 ** 32 - 1, whole: true }),
  };
}

/** Errors  InputError AKIN_ERR_OPTION for a flag that is for the other kind of table. */
function requireUse(
  { kind }: JudgementTable,
  { labels, relevantFrom }: Pick<Flags, 'labels' | 'relevantFrom'>,
  isSeparated: boolean,
): void {
  const idle =
    kind === 'labels' && relevantFrom !== undefined
      ? '--relevant-from is for the grades of judged pairs'
      : kind === 'pairs' && isSeparated
        ? '--separator is for labels of pages'
        : null;
  if (idle === null) return;
  throw optionFault(
    `${idle}; ${labels} has ${kind === 'pairs' ? 'judged pairs' : kind}`,
    'leave it out; akin help evaluate shows both kinds of table',
  );
}

/** Errors  InputError AKIN_ERR_OPTION for a length that no list of the index has. */
function requireStored(at: readonly number[], neighborLimit: number, isGiven: boolean): void {
  const longest = Math.max(...at);
  if (!isGiven || longest <= neighborLimit) return;
  throw optionFault(
    `--at ${longest} is longer than the lists of the index, which hold ${neighborLimit} pages`,
    `give at most ${neighborLimit}, or build with longer lists: akin index INPUT... --neighbors ${longest} --to FILE`,
  );
}

function grade(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw optionFault(`--relevant-from is "${text}"`, 'give a number above 0');
}
