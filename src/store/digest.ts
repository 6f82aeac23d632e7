import { createHash } from 'node:crypto';
import type { Db } from './database.ts';

/** Not digested: they hold times, or the digests themselves. */
const LEFT_OUT = new Set(['generation', 'stage', 'table_digest']);

export interface TableDigest {
  readonly name: string;
  readonly rowCount: number;
  readonly sha256: Buffer;
}

/**
 * SHA-256 over rows, value by value: `n`, or its type (i: number, s: text, b: bytes), its length, `:` and itself.
 * Values are gathered first: a call into the hash costs more than a short row.
 */
export class RowDigest {
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  #rowCount = 0;

  value(value: unknown): void {
    if (value instanceof Uint8Array) {
      this.#text(`b${value.byteLength}:`);
      this.#bytes(value);
    } else if (typeof value === 'string') {
      const text = value.toWellFormed();
      this.#text(`s${text.length}:${text}`);
    } else if (value === null) {
      this.#text('n');
    } else {
      const text = String(value);
      this.#text(`i${text.length}:${text}`);
    }
  }

  endRow(): void {
    this.#rowCount++;
  }

  #text(text: string): void {
    const mostBytes = 3 * text.length;
    if (mostBytes > this.#buffer.length) {
      this.#bytes(Buffer.from(text));
      return;
    }
    if (this.#used + mostBytes > this.#buffer.length) this.#flush();
    this.#used += this.#buffer.write(text, this.#used);
  }

  #bytes(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#buffer.length) this.#flush();
    if (bytes.length > this.#buffer.length) {
      this.#hash.update(bytes);
    } else {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  #flush(): void {
    this.#hash.update(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  end(name: string): TableDigest {
    this.#flush();
    return { name, rowCount: this.#rowCount, sha256: this.#hash.digest() };
  }
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

  const digest = new RowDigest();
  for (const row of rows.iterate() as IterableIterator<unknown[]>) {
    for (const value of row) digest.value(value);
    digest.endRow();
  }
  return digest.end(name);
}

/** One name for all content: 16 hex digits. */
export function generationOf(digests: readonly TableDigest[], algorithmVersion: number): string {
  const hash = createHash('sha256').update(`akin ${algorithmVersion}\n`);
  for (const digest of digests) hash.update(`${digest.name} ${digest.rowCount} `).update(digest.sha256);
  return hash.digest('hex').slice(0, 16);
}
