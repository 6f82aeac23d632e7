/** The whole work of `akin tune`, as a thread may do it: it reads much, and never waits for long. */
import { join } from 'node:path';
import { optionFault } from '../../errors.ts';
import type { Resources } from '../../indexer/files/budget.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import { indexAlone, readStoredOptions } from '../../indexer/options/stored-options.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { type Judge, LEAST_PAGES, type Objective, type OwnJudgeName } from './judge.ts';
import type { OwnJudges } from './own-judges.ts';
import { tuneIndex } from './tune-index.ts';
import type { TuneReport } from './tune-report.ts';

export interface TuneOrder {
  /** The index. */
  readonly path: string;
  /** For files meanwhile; whoever asks makes and removes it. */
  readonly folder: string;
  readonly resources: Resources;
  /** A file of labels; null where the collection itself judges. */
  readonly labels: string | null;
  readonly labelColumn: string | null;
  readonly judge: OwnJudgeName | null;
  readonly objective: Objective;
  readonly sampleSize: number;
  readonly seed: number;
}

/** Errors  as `judgesOf` and `tuneIndex`. */
export async function tune(order: TuneOrder, listener: BuildListener): Promise<TuneReport> {
  const { path, folder, resources, sampleSize, seed } = order;
  using reader = IndexReader.open(path);
  const { judge, others, heldOut } = await judgesOf(reader, order);
  const build = {
    ...readStoredOptions(path),
    copies: false,
    keepText: false,
    search: false,
    ...indexAlone(path),
    unlinked: heldOut.map((page) => reader.page(page).url),
    target: join(folder, 'tune.akin'),
    ...resources,
  };
  return await tuneIndex(reader, judge, build, { sampleSize, seed, others }, listener);
}

/**
 * Errors  InputError AKIN_ERR_OPTION for judged pairs and for labels of few pages, which are too few to tell shares apart, and for
 *         Gamma where labels are no paths; as `findJudged`.
 */
async function judgesOf(
  reader: IndexReader,
  { labels, labelColumn, judge, objective, seed }: TuneOrder,
): Promise<OwnJudges> {
  if (labels === null) {
    const { judgesOfCollection } = await import('./own-judges.ts');
    return judgesOfCollection(reader, judge, seed);
  }
  const { judgeByClasses, judgeByLabels } = await import('./judge-by-labels.ts');
  const { readJudgementTable, readTable } = await import('../evaluate/judgement-table.ts');
  const { findJudged, findSeparator, SEPARATORS } = await import('../evaluate/judgements.ts');
  const table = readJudgementTable(labels, readTable(labels), labelColumn);
  const judged = findJudged(reader, labels, table).labels;
  if (judged === null) {
    throw optionFault(
      `${labels} has judged pairs; akin tune takes labels of pages`,
      'akin evaluate FILE --labels TSV measures by judged pairs',
    );
  }
  if (objective === 'precision') return labelJudge(labels, judgeByLabels(judged));
  const separator = findSeparator(judged);
  if (separator === null) {
    throw optionFault(
      `the labels of ${labels} are no paths of classes`,
      `Gamma needs labels such as Science/Physics, with one of ${SEPARATORS.join(' ')} in most of them`,
    );
  }
  return labelJudge(labels, judgeByClasses(judged, separator));
}

function labelJudge(labels: string, judge: Judge): OwnJudges {
  const count = judge.pages.length;
  if (count >= LEAST_PAGES) return { judge, others: [], heldOut: [] };
  throw optionFault(
    `${labels} says too little: of the pages in the index that it labels, ${count} share a label with another`,
    `give labels of at least ${LEAST_PAGES} such pages`,
  );
}
