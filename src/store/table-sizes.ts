import { asReadError, openDatabase } from './database.ts';

/** Bytes that each table takes in the file, its indexes included; largest first. They sum to the file. */
export function tableSizes(path: string): { name: string; sizeBytes: number }[] {
  const db = openDatabase(path);
  try {
    return db
      .prepare(
        `SELECT coalesce(tbl_name, name) AS name, sum(pgsize) AS sizeBytes FROM dbstat
         LEFT JOIN sqlite_schema USING (name) WHERE aggregate = TRUE GROUP BY 1 ORDER BY sizeBytes DESC, 1`,
      )
      .all() as { name: string; sizeBytes: number }[];
  } catch (cause) {
    throw asReadError(cause, path);
  } finally {
    db.close();
  }
}
