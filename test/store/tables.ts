import Database from 'better-sqlite3';

/** Holds times, versions and the digests: not the same from build to build. */
const LEFT_OUT = ['generation', 'stage', 'table_digest'];

/** Every row of every table by table, times left out: what two equal indexes have in common. */
export function tableRows(path: string): Record<string, unknown[]> {
  const db = new Database(path, { readonly: true });
  try {
    const names = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names
        .filter((name) => !LEFT_OUT.includes(name))
        .map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all().map(withoutTimes)]),
    );
  } finally {
    db.close();
  }
}

function withoutTimes(row: unknown): unknown {
  const columns = Object.entries(row as Record<string, unknown>).filter(([name]) => !name.endsWith('_ms'));
  return Object.fromEntries(
    columns.map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('hex') : value]),
  );
}
