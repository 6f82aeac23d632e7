import { asStoreError, openDatabase } from './database.ts';

/** Bytes that each table takes in the file, its indexes included; largest first. */
export function tableSizes(path: string): { name: string; sizeBytes: number }[] {
  const db = openDatabase(path);
  try {
    return db
      .prepare(
        `SELECT tbl_name AS name, sum(pgsize) AS sizeBytes FROM dbstat JOIN sqlite_schema USING (name)
         WHERE aggregate = TRUE GROUP BY tbl_name ORDER BY sizeBytes DESC, tbl_name`,
      )
      .all() as { name: string; sizeBytes: number }[];
  } catch (cause) {
    throw asStoreError(cause, path);
  } finally {
    db.close();
  }
}
