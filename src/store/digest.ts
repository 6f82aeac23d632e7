import { createHash } from 'node:crypto';
import type { Db } from './database.ts';

/** Not digested: they hold times, or the digests themselves. */
const LEFT_OUT = new Set(['generation', 'stage', 'table_digest']);

export interface TableDigest {
  readonly name: string;
  readonly rowCount: number;
  readonly sha256: Buffer;
}

/** The tables of an index in the order of their names, digests of content only. */
export function digestedTables(db: Db): string[] {
  return (
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[]
  ).filter((name) => !name.startsWith('sqlite_') && !LEFT_OUT.has(name));
}

/**
 * SHA-256 over the rows of a table in primary-key order, columns that end in `_ms` left out, so two
 * builds of the same pages give the same digest.
 */
export function digestTable(db: Db, name: string): TableDigest {
  const columns = db.pragma(`table_info(${name})`) as { name: string; pk: number }[];
  const kept = columns.filter((column) => !column.name.endsWith('_ms')).map((column) => column.name);
  const key = columns.filter((column) => column.pk > 0).sort((a, b) => a.pk - b.pk);
  const order = key.map((column) => column.name).join(', ');
  const rows = db.prepare(`SELECT ${kept.join(', ')} FROM ${name} ORDER BY ${order}`).raw();

  const hash = createHash('sha256');
  const parts: string[] = [];
  let rowCount = 0;
  for (const row of rows.iterate() as IterableIterator<unknown[]>) {
    rowCount++;
    for (const value of row) {
      if (value instanceof Uint8Array) {
        // Text gathered so far goes first: the order of values is part of the digest.
        hash.update(`${parts.join('')}b${value.byteLength}:`);
        parts.length = 0;
        hash.update(value);
      } else {
        const text = String(value);
        parts.push(value === null ? 'n' : `${typeof value === 'string' ? 's' : 'i'}${text.length}:${text}`);
      }
    }
    if (parts.length > 4096) {
      hash.update(parts.join(''));
      parts.length = 0;
    }
  }
  hash.update(parts.join(''));
  return { name, rowCount, sha256: hash.digest() };
}

/** One name for all content: 16 hex digits. */
export function generationOf(digests: readonly TableDigest[], algorithmVersion: number): string {
  const hash = createHash('sha256').update(`akin ${algorithmVersion}\n`);
  for (const digest of digests) hash.update(`${digest.name} ${digest.rowCount} `).update(digest.sha256);
  return hash.digest('hex').slice(0, 16);
}
