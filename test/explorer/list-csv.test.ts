/** A list as a table, of a service that has as many rows as are asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCsv } from '../../src/explorer/pages/list-csv.ts';
import { Asked } from '../../src/explorer/reply.ts';

for (const [rowCount, name, shown] of [
  [0, 'sites', 0],
  [1000, 'sites', 1000],
  [1001, 'sites-first-1000', 1000],
] as const) {
  test(`the file of ${rowCount} rows says whether these are all`, async () => {
    const answer = async (_name: string, { limit, cursor }: { limit: number; cursor: string }) => {
      const start = Number(cursor);
      const end = Math.min(start + limit, rowCount);
      const sites = Array.from({ length: end - start }, (_, i) => ({ site: `s${start + i}.example` }));
      return { sites, next: end < rowCount ? String(end) : null };
    };
    const context = { ask: { answer, lostShards: new Set() } } as never;
    const made = (await listCsv(context, new Asked({ list: 'sites' }, {}))) as { name: string; csv: string };
    assert.equal(made.name, name);
    assert.equal(made.csv.match(/^s\d/gm)?.length ?? 0, shown);
  });
}
