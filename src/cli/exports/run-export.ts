/** One export: what is asked, from an index, to where it goes. */

import type { Lines, Row } from '../../service/exports/row-format.ts';
import type { IndexFacts } from '../../service/reads/facts.ts';
import type { OpenIndex } from '../../service/reads/file/open-index.ts';
import type { Reads } from '../../service/reads/reads.ts';
import type { Parameters } from '../../service/schemas/parameter.ts';
import { asCommandError } from '../answers/ask.ts';
import { requireReportFile } from '../evaluate/report/report-file.ts';
import { stoppable } from '../terminal/process-end.ts';
import { ProgressReporter } from '../terminal/progress.ts';
import { formatNumberOf } from '../terminal/table.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';
import { tellOfWaiting } from '../terminal/waiting-pages.ts';
import { writeOut } from './output.ts';

interface Order {
  /** The name of the command, for errors. */
  readonly command: string;
  readonly paths: readonly string[];
  readonly lines: Lines;
  /** Undefined for standard output. */
  readonly target: string | undefined;
  /** The values of parameters as they are written; those not given are undefined. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** What is exported, as the command line needs it. */
export interface Source {
  readonly name: string;
  readonly query: Parameters;
  readonly columns: (query: object, facts: IndexFacts) => readonly string[];
  /** Writes all rows by one call of `write`; returns what is to be said of them. */
  readonly run: (
    index: OpenIndex,
    reads: Reads,
    query: object,
    onPages: (done: number) => void,
    write: (rows: AsyncIterable<readonly Row[]>) => Promise<void>,
  ) => Promise<string>;
}

/** Errors  those of the service as errors of the command line; as `writeOut`; as `openIndex`, `filesOf`. */
export async function runExport(terminal: Terminal, source: Source, order: Order): Promise<void> {
  const { command, paths, lines, target } = order;
  const { filesOf } = await import('../../indexer/options/stored-options.ts');
  const files = paths.flatMap(filesOf);
  if (target !== undefined) await requireReportFile(target, files, '--to related.tsv.gz');
  const { openIndex } = await import('../../service/reads/shards/open-shards.ts');
  const { inChunks } = await import('../../service/exports/chunks.ts');
  const { rowTexts } = await import('../../service/exports/row-format.ts');
  const query = await readQuery(source.query, order);
  const index = await openIndex(files, { preload: false });
  const progress = new ProgressReporter(terminal.stderr, { verbose: false, now: Date.now });
  const stage = { name: source.name, unit: 'pages', total: index.facts.ownPageCount, resumed: false };
  const columns = source.columns(query, index.facts);
  let rowCount = 0;
  const write = async (rows: AsyncIterable<readonly Row[]>) => {
    const counted = each(rows, (some) => {
      rowCount += some.length;
    });
    await writeOut(terminal, target, inChunks(rowTexts(counted, columns, lines)));
  };
  try {
    const said = await stoppable(
      () => tell(terminal, 'akin: stopped'),
      async () => {
        progress.stageStarted(stage);
        const onPages = (done: number) => progress.stageProgress(done, stage.total);
        return index.answer((reads) => source.run(index, reads, query, onPages, write));
      },
    );
    progress.close();
    await tellOfWaiting(terminal, files);
    tell(terminal, `akin: ${formatNumberOf(rowCount, 'row')}${said.value}`);
  } catch (error) {
    throw await asCommandError(error, command, paths[0]!);
  } finally {
    progress.close();
    index.close();
  }
}

async function* each<Value>(
  values: AsyncIterable<Value>,
  see: (value: Value) => void,
): AsyncGenerator<Value> {
  for await (const value of values) {
    see(value);
    yield value;
  }
}

/** Errors  InputError for a value that a parameter does not take. */
async function readQuery(rows: Parameters, { command, given, paths }: Order): Promise<object> {
  const { questionReader } = await import('../../service/http/question/question.ts');
  const texts = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]);
  try {
    return questionReader(rows)(Object.fromEntries(texts));
  } catch (error) {
    throw await asCommandError(error, command, paths[0]!);
  }
}
