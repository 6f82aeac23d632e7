/**
 * The story that docs/evaluation.md begins with: `story.md`, each figure of which names a cell of a result,
 *
 *     {{bench > beginning of the caption > first cells of the row, joined by " + " > column}}
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell, Table } from './bench.ts';
import { ROOT } from './environment.ts';

/** Gives the tables of a bench by its name; none where it has no result. */
type TablesOf = (bench: string) => readonly Table[];

/** Errors  Error naming the figure where not exactly one cell is meant. */
export function storyText(tablesOf: TablesOf): string {
  const story = readFileSync(join(ROOT, 'bench', 'story.md'), 'utf8');
  return story.replace(/\{\{(.+?)\}\}/g, (_, name: string) => cellText(cellOf(name, tablesOf)));
}

export function cellText(cell: Cell): string {
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
