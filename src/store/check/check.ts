import { statSync } from 'node:fs';
import { cardDate } from '../../page/card/page-card.ts';
import { asReadError, type Db, openDatabase } from '../database.ts';
import { digestedTables, digestTable, generationOf } from '../digest.ts';
import { IndexReader } from '../read/reader.ts';
import { checkFields } from './check-fields.ts';
import { checkInputs } from './check-inputs.ts';
import { checkSearch } from './check-search.ts';
import { checkShard, checkShardLinks } from './check-shard.ts';
import { checkRelation, type Faults, type Run } from './relation/check-relation.ts';
import { checkVersions } from './relation/check-versions.ts';

export interface CheckReport {
  readonly path: string;
  readonly generation: string;
  readonly pageCount: number;
  readonly sizeBytes: number;
  /** Names of the invariants that were tried, in order. */
  readonly checked: readonly string[];
  readonly faults: readonly string[];
}

/** Faults of one kind are named up to this many; the rest is counted. */
const MAX_FAULTS = 20;

/** How an index is checked. */
export interface CheckOptions {
  /** Whether the file is as it was written, by the digests of its tables, and no more: a tenth of the time. Times have no digest. */
  readonly isQuick?: boolean;
  /** Is called with the name of each invariant before that is tried. */
  readonly onStep?: (name: string) => void;
}

/**
 * Proves an index: every invariant over every row, not a sample.
 *
 * Cost    about what a build took in one thread.
 * Errors  as `IndexReader.open` where the file cannot be opened at all; what is wrong inside is in `faults`.
 */
export function checkIndex(
  path: string,
  { isQuick = false, onStep = () => {} }: CheckOptions = {},
): CheckReport {
  const reader = IndexReader.openDamaged(path);
  const db = openDatabase(path);
  const faults: Faults = [];
  const checked: string[] = [];
  const run: Run = (name, check) => {
    const found: Faults = [];
    checked.push(name);
    onStep(name);
    try {
      check(found);
    } catch (error) {
      found.push(asReadError(error, path).message);
    }
    faults.push(...found.slice(0, MAX_FAULTS).map((fault) => `${name}: ${fault}`));
    if (found.length > MAX_FAULTS) faults.push(`${name}: and ${found.length - MAX_FAULTS} more`);
  };
  try {
    run('sqlite integrity', (found) => checkSqlite(db, found));
    run('digests', (found) => checkDigests(db, reader.generation, found));
    if (!isQuick) proveRows(reader, run);
    const { generation, pageCount } = reader;
    return { path, generation, pageCount, sizeBytes: statSync(path).size, checked, faults };
  } finally {
    db.close();
    reader.close();
  }
}

function proveRows(reader: IndexReader, run: Run): void {
  run('pages', (found) => checkPages(reader, found));
  if (reader.shard !== null) run('shard', (found) => checkShard(reader, found));
  run('records', (found) => checkRecords(reader, found));
  run('links', (found) => (reader.shard === null ? checkLinks : checkShardLinks)(reader, found));
  run('inputs', (found) => checkInputs(reader, found));
  run('cards', (found) => checkCards(reader, found));
  run('fields', (found) => checkFields(reader, found));
  run('search', (found) => checkSearch(reader, found));
  run('versions', (found) => checkVersions(reader, found));
  for (const record of reader.card().relations) checkRelation(reader, record, run);
}

function checkSqlite(db: Db, faults: Faults): void {
  for (const row of db.pragma('integrity_check') as { integrity_check: string }[]) {
    if (row.integrity_check !== 'ok') faults.push(row.integrity_check);
  }
  for (const row of db.pragma('foreign_key_check') as { table: string; rowid: number; parent: string }[]) {
    faults.push(`a row of ${row.table} points to a missing row of ${row.parent}`);
  }
}

function checkDigests(db: Db, generation: string, faults: Faults): void {
  const stored = db.prepare('SELECT name, row_count AS n, sum FROM table_digest ORDER BY name').all() as {
    name: string;
    n: number;
    sum: Uint8Array;
  }[];
  const names = digestedTables(db).filter((name) => name !== 'table_digest');
  const fresh = names.map((name) => digestTable(db, name));
  for (const digest of fresh) {
    const row = stored.find((one) => one.name === digest.name);
    if (row === undefined) faults.push(`no digest of table ${digest.name}`);
    else if (row.n !== digest.rowCount || Buffer.compare(row.sum, digest.sum) !== 0) {
      faults.push(
        `table ${digest.name} has changed since it was written (${digest.rowCount} rows, ${row.n} expected)`,
      );
    }
  }
  const version = db.prepare('SELECT algorithm_version FROM generation').pluck().get() as number;
  if (faults.length === 0 && generationOf(fresh, version) !== generation) {
    faults.push(`the generation ${generation} does not match the content`);
  }
}

function checkPages(reader: IndexReader, faults: Faults): void {
  let previous = '';
  for (const page of reader.pages()) {
    // Of a shard, the pages of other shards stand in an order of their own.
    if (page.id === reader.ownPageCount) previous = '';
    if (page.url <= previous) faults.push(`page ${page.id} is out of URL order: ${page.url}`);
    previous = page.url;
  }
  // A page that a later sweep found to have moved keeps its history, and nothing is related to it any more.
  const { file, ownPageCount } = reader;
  // Aliases first, and bags by their whole key: a scan for each page is time of the square.
  const both = `SELECT alias.url FROM alias CROSS JOIN page ON page.url = alias.url
    WHERE (fetched = 0 AND page.id < ? AND page.id NOT IN (SELECT page_id FROM gone)) OR EXISTS (
    SELECT 1 FROM relation CROSS JOIN bag ON bag.id = (relation.id << 32) + page.id
    WHERE length(entries) > 1)`;
  for (const url of file.values<string>(both, ownPageCount))
    faults.push(`${url} is both a page and an alias`);
  const gone = 'SELECT id, url FROM gone JOIN page ON page.id = page_id';
  for (const [id, url] of file.tuples<[number, string]>(gone)) {
    if (reader.input.isThere(id)) faults.push(`${url} is gone, but has an input as if it were there`);
  }
  const bare =
    'SELECT url FROM page WHERE id < ? AND fetched <> (EXISTS (SELECT 1 FROM capture WHERE page_id = page.id))';
  for (const url of file.values<string>(bare, ownPageCount))
    faults.push(`${url} is fetched but has no capture, or has one but is not fetched`);
}

/** A card is of a page that is there and says something; a shown title is a part of the whole one. */
function checkCards(reader: IndexReader, faults: Faults): void {
  for (const { pageId, card } of reader.pageCards.all()) {
    if (!reader.input.isThere(pageId)) faults.push(`page ${pageId} has a card, but is not there`);
    if (Object.values(card).every((value) => value === null)) faults.push(`page ${pageId} has an empty card`);
    for (const date of [card.publishedAt, card.modifiedAt]) {
      if (date !== null && cardDate(date) !== date) faults.push(`page ${pageId} has the date ${date}`);
    }
  }
  for (const { id, title, fullTitle } of reader.pages()) {
    if (!fullTitle.includes(title) || (title === '' && fullTitle !== '')) {
      faults.push(`page ${id} is shown as ${title}, which is no part of ${fullTitle}`);
    }
  }
}

/** Every record of a sweep is a page, or has a reason why not. */
function checkRecords({ file }: IndexReader, faults: Faults): void {
  const rows = file.tuples<[name: string, n: number, captures: number, skipped: number]>(
    `SELECT name, record_count, (SELECT count(*) FROM capture WHERE sweep_id = sweep.id),
     (SELECT coalesce(sum(record_count), 0) FROM skip WHERE sweep_id = sweep.id) FROM sweep`,
  );
  for (const [name, n, captures, skipped] of rows) {
    if (captures + skipped !== n) {
      faults.push(
        `sweep ${name} read ${n} records, but ${captures} became pages and ${skipped} were skipped`,
      );
    }
  }
}

function checkLinks(reader: IndexReader, faults: Faults): void {
  const inLinks = new Uint32Array(reader.pageCount);
  for (const page of reader.pages()) {
    const targets = reader.links(page.id);
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]!;
      if (target >= reader.pageCount || target === page.id || (i > 0 && target <= targets[i - 1]!)) {
        faults.push(`page ${page.id} has a broken link list at ${target}`);
      } else {
        inLinks[target]!++;
      }
    }
  }
  for (const page of reader.pages()) {
    if (inLinks[page.id] !== page.inLinkCount) {
      faults.push(
        `page ${page.id} counts ${page.inLinkCount} in-links, but ${inLinks[page.id]} links point to it`,
      );
    }
  }
}
