/**
 * Digests of the tables of an index: the sum of the digests of their rows, so that a change of some rows costs
 * those rows, and is the same in whatever order the rows were written.
 *
 * A row has a hash of 64 bits, which takes a tenth of the time of SHA-256 for a row as short as most are, and sums are taken
 * in two lanes of 32 bits. They tell apart what was written and what was damaged; they are
 * no seal against someone who searches for rows of an equal sum.
 */
import { createHash } from 'node:crypto';
import { hash64Bytes } from '../lib/hash.ts';
import type { Db } from './database.ts';

/** Not digested: they hold times, or the digests themselves. */
const LEFT_OUT = new Set(['generation', 'stage', 'table_digest']);
const LANES = 2;

export interface TableDigest {
  readonly name: string;
  readonly rowCount: number;
  readonly sum: Uint8Array;
}

/** The tables of an index in the order of their names, digests of content only. */
export function digestedTables(db: Db): string[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[];
  return tables.filter((name) => !name.startsWith('sqlite_') && !LEFT_OUT.has(name));
}

/** Times, whose columns end in `_ms`, are left out, so that two builds of the same pages give the same digest. */
export function isDigested(column: string): boolean {
  return !column.endsWith('_ms');
}

function digestedColumns(db: Db, table: string): string[] {
  const columns = db.pragma(`table_info(${table})`) as { name: string }[];
  return columns.map(({ name }) => name).filter(isDigested);
}

export function digestTable(db: Db, name: string): TableDigest {
  const sum = new RowSum();
  const rows = db.prepare(`SELECT ${digestedColumns(db, name).join(', ')} FROM ${name}`).raw();
  for (const row of rows.iterate() as IterableIterator<unknown[]>) sum.add(row);
  return sum.digest(name);
}

/** One name for all content: 16 hex digits. */
export function generationOf(digests: readonly TableDigest[], algorithmVersion: number): string {
  const all = createHash('sha256').update(`akin ${algorithmVersion}\n`);
  for (const { name, rowCount, sum } of digests) all.update(`${name} ${rowCount} `).update(sum);
  return all.digest('hex').slice(0, 16);
}

/** The digest of a table while rows come and go. */
export class RowSum {
  readonly #lanes = new Uint32Array(LANES);
  readonly #hash = new Uint32Array(LANES);
  #rowCount: number;
  #row = Buffer.alloc(1 << 12);

  constructor(start?: TableDigest) {
    this.#rowCount = start?.rowCount ?? 0;
    if (start !== undefined) this.#lanes.set(new Uint32Array(Uint8Array.from(start.sum).buffer));
  }

  /** `isLeftOut` says of each column whether it does not count; none where it is not given. */
  add(row: readonly unknown[], isLeftOut?: readonly boolean[]): void {
    const size = this.#encode(row, isLeftOut);
    hash64Bytes(this.#row, 0, size, this.#hash);
    for (let lane = 0; lane < LANES; lane++) this.#lanes[lane]! += this.#hash[lane]!;
    this.#rowCount++;
  }

  digest(name: string): TableDigest {
    const sum = Buffer.alloc(4 * LANES);
    for (let lane = 0; lane < LANES; lane++) sum.writeUInt32LE(this.#lanes[lane]!, 4 * lane);
    return { name, rowCount: this.#rowCount, sum };
  }

  /** Each value as a letter for its type, its length where that is not known, and its bytes; returns how many there are. */
  #encode(row: readonly unknown[], isLeftOut?: readonly boolean[]): number {
    let at = 0;
    for (let column = 0; column < row.length; column++) {
      if (isLeftOut?.[column]) continue;
      const value = row[column];
      const bytes =
        typeof value === 'string' ? 3 * value.length : value instanceof Uint8Array ? value.length : 0;
      if (at + bytes + 9 > this.#row.length) {
        const larger = Buffer.alloc(2 * (at + bytes + 9));
        this.#row.copy(larger, 0, 0, at);
        this.#row = larger;
      }
      if (typeof value === 'number') {
        this.#row[at] = 0x69;
        this.#row.writeDoubleLE(value, at + 1);
        at += 9;
      } else if (value === null) {
        this.#row[at++] = 0x6e;
      } else if (value instanceof Uint8Array) {
        this.#row[at] = 0x62;
        this.#row.writeUInt32LE(value.length, at + 1);
        this.#row.set(value, at + 5);
        at += 5 + value.length;
      } else {
        const size = this.#row.write(String(value), at + 5);
        this.#row[at] = 0x73;
        this.#row.writeUInt32LE(size, at + 1);
        at += 5 + size;
      }
    }
    return at;
  }
}
