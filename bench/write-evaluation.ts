/** Writes docs/evaluation.md from bench/story.md and bench/results; a test keeps them together. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchResult, type Cell, isMissed, type Table, type Target } from './bench.ts';
import { type Environment, isOfToday, ROOT, versionsOf } from './environment.ts';
import { benchName, benchPaths } from './run.ts';
import { staleSection } from './stale.ts';

export const EVALUATION_FILE = join(ROOT, 'docs', 'evaluation.md');

interface Stored {
  readonly environment: Environment;
  /** A flat object of figures, or corpus and tables. */
  readonly result: BenchResult | Readonly<Record<string, Cell>>;
}

export function evaluationText(): string {
  const paths = benchPaths().filter((path) => storedOf(benchName(path)) !== undefined);
  return [
    storyText((bench) => resultOf(bench)?.tables ?? []),
    '## Targets that are missed',
    '',
    '| bench | figure | at least | reached |',
    '| --- | --- | ---: | ---: |',
    ...paths.map(benchName).flatMap(missedRows),
    '',
    ...staleSection(),
    '## All tables',
    '',
    'Generated from `bench/results` by `node bench/write-evaluation.ts`. Measure again with `npm run bench`, or',
    '`npm run bench NAME`; a bench whose corpus is not on the machine says so and is passed over. Corpora are not',
    'part of the project.',
    '',
    ...paths.map(section),
  ].join('\n');
}

function storedOf(bench: string): Stored | undefined {
  const [file] = globSync(join(ROOT, 'bench', 'results', `${bench}.json`));
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Stored);
}

function resultOf(bench: string): BenchResult | undefined {
  const stored = storedOf(bench);
  return stored && asBenchResult(stored.result);
}

function missedRows(bench: string): string[] {
  const missed = resultOf(bench)?.targets?.filter(isMissed) ?? [];
  return missed.map(({ figure, atLeast, reached }) => tableRow([bench, figure, atLeast, reached]));
}

function section(path: string): string {
  const { environment, result } = storedOf(benchName(path))!;
  const { cpu, coreCount, node, date, commit } = environment;
  const format = `, ${isOfToday(environment) ? '' : '**older** '}${versionsOf(environment)}`;
  const { corpus, tables, targets } = asBenchResult(result);
  return [
    `### ${benchName(path)}`,
    '',
    ...headOf(path).map((line) => `- ${line}`),
    `- **Machine** ${cpu}, ${coreCount} cores, Node ${node}; ${date}, commit ${commit}${format}`,
    '',
    ...(Object.keys(corpus).length === 0
      ? []
      : tableLines({ caption: 'Corpus', columns: ['', ''], rows: Object.entries(corpus) })),
    ...tables.flatMap(tableLines),
    ...(targets === undefined ? [] : tableLines(targetTable(targets))),
  ].join('\n');
}

/** What the head of a bench says, one entry a key word. */
export function headOf(path: string): string[] {
  const source = readFileSync(join(ROOT, 'bench', path), 'utf8');
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const entries: string[] = [];
  for (const line of comment.split('\n').map((text) => text.replace(/^\s*\* ?/, ''))) {
    const start = /^(Measured|Corpus|Notes)\s+(.*)/.exec(line);
    if (start !== null) entries.push(`**${start[1]}** ${start[2]}`);
    else if (line.trim() !== '' && entries.length > 0) entries.push(`${entries.pop()} ${line.trim()}`);
  }
  return entries;
}

function asBenchResult(result: Stored['result']): BenchResult {
  if ('tables' in result) return result as BenchResult;
  const rows = Object.entries(result as Record<string, Cell>);
  return { corpus: {}, tables: [{ caption: 'Figures', columns: ['', ''], rows }] };
}

function targetTable(targets: readonly Target[]): Table {
  return {
    caption: 'Targets',
    columns: ['figure', 'at least', 'reached', ''],
    rows: targets.map((target) => [target.figure, target.atLeast, target.reached, verdict(target)]),
  };
}

/** `met`, or `missed` with the reason where one is given. */
export function verdict(target: Target): string {
  if (!isMissed(target)) return 'met';
  return target.ifMissed === undefined ? 'missed' : `missed: ${target.ifMissed}`;
}

function tableLines({ caption, columns, rows }: Table): string[] {
  return [
    `${caption}:`,
    '',
    `| ${columns.join(' | ')} |`,
    `| ${columns.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map(tableRow),
    '',
  ];
}

function tableRow(cells: readonly Cell[]): string {
  return `| ${cells.map(cellText).join(' | ')} |`;
}

if (import.meta.main) writeFileSync(EVALUATION_FILE, evaluationText());

/** Gives the tables of a bench by its name; none where it has no result. */
type TablesOf = (bench: string) => readonly Table[];

/**
 * The story that docs/evaluation.md begins with: `story.md`, each figure of which names a cell of a result,
 *
 *     {{bench > beginning of the caption > first cells of the row, joined by " + " > column}}
 *
 * Errors  Error naming the figure where not exactly one cell is meant.
 */
export function storyText(tablesOf: TablesOf): string {
  const story = readFileSync(join(ROOT, 'bench', 'story.md'), 'utf8');
  return story.replace(/\{\{(.+?)\}\}/g, (_, name: string) => cellText(cellOf(name, tablesOf)));
}

function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function cellOf(name: string, tablesOf: TablesOf): Cell {
  const [bench = '', caption = '', row = '', column = ''] = name.split(' > ');
  const table = only(
    tablesOf(bench).filter((one) => one.caption.startsWith(caption)),
    name,
  );
  const cells = row.split(' + ');
  const found = only(
    table.rows.filter((one) => cells.every((cell, i) => String(one[i]) === cell)),
    name,
  );
  const place = only(
    [...table.columns.keys()].filter((at) => table.columns[at] === column),
    name,
  );
  return found[place]!;
}

function only<T>(found: readonly T[], name: string): T {
  if (found.length !== 1) throw new Error(`bench/story.md: {{${name}}} names ${found.length} cells, not one`);
  return found[0]!;
}
