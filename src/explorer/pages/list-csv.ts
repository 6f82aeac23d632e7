/** A list of the explorer as a table for spreadsheets: what a route answers, page after page. */
import { LINES, type Row } from '../../service/exports/row-format.ts';
import { Problem } from '../../service/http/problems/problem.ts';
import type { Values } from '../../service/routes/request.ts';
import type { Context } from '../context.ts';
import { LISTS, type ListName } from '../lists.ts';
import type { Asked, Made } from '../reply.ts';
import { pathPage } from './problem.ts';

const MAX_ROWS = 1000;
const ROWS_AT_ONCE = 100;

/**
 * The first thousand rows, as the name of the file says where there are more; `akin export` has all.
 *
 * Errors  Problem `shard-unavailable` where rows may be missing: a file could not say so.
 */
export async function listCsv(context: Context, asked: Asked): Promise<Made> {
  const name = (Object.keys(LISTS) as ListName[]).find((one) => one === asked.text('list'));
  if (name === undefined) return pathPage(context, asked);
  const { list: _list, cursor: _cursor, limit: _limit, ...query } = asked.values();
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null && rows.length < MAX_ROWS) {
    const values: Values = { ...query, limit: ROWS_AT_ONCE, cursor };
    const answer = (await context.ask.answer(name, values)) as unknown as Record<string, unknown>;
    rows.push(...(answer[LISTS[name]] as Row[]));
    cursor = answer['next'] as string | null;
  }
  const lost = [...context.ask.lostShards].join(', ');
  if (lost !== '') throw new Problem('shard-unavailable', `the table would lack what is in shard ${lost}`);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { head, line } = LINES.csv;
  const lines = rows.map((row) => line(asText(row), columns, false));
  return {
    csv: head(columns) + lines.join(''),
    name: cursor === null ? name : `${name}-first-${rows.length}`,
  };
}

/** What a spreadsheet would take for a formula: titles come from strangers. */
const FORMULA = /^[=+\-@\t\r]/;

function asText(row: Row): Row {
  const cells = Object.entries(row).map(([name, cell]) => {
    return [name, typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell];
  });
  return Object.fromEntries(cells);
}
