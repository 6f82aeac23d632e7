/** Writes docs/evaluation.md from bench/results; a test keeps the two together. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchResult, type Cell, isMissed, type Table, type Target } from './bench.ts';
import { type Environment, ROOT } from './environment.ts';
import { benchName, benchPaths } from './run.ts';

export const EVALUATION_FILE = join(ROOT, 'docs', 'evaluation.md');

interface Stored {
  readonly environment: Environment;
  /** A flat object of figures, or corpus and tables. */
  readonly result: BenchResult | Readonly<Record<string, Cell>>;
}

export function evaluationText(): string {
  const sections = benchPaths()
    .map((path) => section(path))
    .filter((text) => text !== '');
  return [
    '# Evaluation',
    '',
    'Generated from `bench/results` by `node bench/write-evaluation.ts`. Measure again with `npm run bench`, or',
    '`npm run bench NAME`; a bench whose corpus is not on the machine says so and is passed over. Corpora are not',
    'part of the project.',
    '',
    ...sections,
  ].join('\n');
}

function section(path: string): string {
  const [file] = globSync(join(ROOT, 'bench', 'results', `${benchName(path)}.json`));
  if (file === undefined) return '';
  const { environment, result } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
  const { cpu, coreCount, node, date, commit } = environment;
  const { corpus, tables, targets } = asBenchResult(result);
  return [
    `## ${benchName(path)}`,
    '',
    ...headOf(path).map((line) => `- ${line}`),
    `- **Machine** ${cpu}, ${coreCount} cores, Node ${node}; ${date}, commit ${commit}`,
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
    ...rows.map((row) => `| ${row.map(cellText).join(' | ')} |`),
    '',
  ];
}

function cellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

if (import.meta.main) writeFileSync(EVALUATION_FILE, evaluationText());
