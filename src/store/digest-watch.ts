import type { Db } from './database.ts';
import { digestedColumns, digestedTables, RowSum, type TableDigest } from './digest.ts';

/**
 * Keeps the digests of all tables true while rows change, whatever statement changes them: SQLite tells of every row
 * that comes or goes, by triggers that live as long as the connection.
 */
export class DigestWatch {
  readonly #sums = new Map<string, RowSum>();

  /** The digests that the file holds now. */
  constructor(db: Db) {
    const stored = db
      .prepare('SELECT name, row_count AS rowCount, sha256 FROM table_digest')
      .all() as TableDigest[];
    // A row that is replaced counts as deleted only so.
    db.pragma('recursive_triggers = ON');
    const watched = { varargs: true, deterministic: false };
    db.function('row_added', watched, (table: string, ...row: unknown[]) => this.#add(table, row));
    db.function('row_removed', watched, (table: string, ...row: unknown[]) => this.#remove(table, row));
    for (const table of digestedTables(db)) {
      this.#sums.set(table, new RowSum(stored.find(({ name }) => name === table)));
      const values = (row: 'new' | 'old') =>
        digestedColumns(db, table)
          .map((column) => `${row}.${column}`)
          .join(', ');
      const added = `SELECT row_added('${table}', ${values('new')});`;
      const removed = `SELECT row_removed('${table}', ${values('old')});`;
      db.exec(`CREATE TEMP TRIGGER added_${table} AFTER INSERT ON main.${table} BEGIN ${added} END;
        CREATE TEMP TRIGGER removed_${table} AFTER DELETE ON main.${table} BEGIN ${removed} END;
        CREATE TEMP TRIGGER changed_${table} AFTER UPDATE ON main.${table} BEGIN ${removed} ${added} END`);
    }
  }

  #add(table: string, row: unknown[]): null {
    this.#sums.get(table)!.add(row);
    return null;
  }

  #remove(table: string, row: unknown[]): null {
    this.#sums.get(table)!.remove(row);
    return null;
  }

  /** In the order of `digestedTables`. */
  digests(): TableDigest[] {
    return Array.from(this.#sums, ([table, sum]) => sum.digest(table));
  }
}
