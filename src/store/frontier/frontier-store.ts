/**
 * The frontier of a crawl in SQLite. One transaction is always open: whatever is changed is seen at once by the next
 * call, and lost together when the process dies before `commit`. A caller that makes its archives durable first, and
 * commits how long they are, finds both in step again after any crash.
 *
 * Cost    a known URL some 3 microseconds, a new one 10; see bench/results/crawl.json.
 * Memory  SQLite's page cache (64 MiB at most); nothing grows with the URLs.
 */
import type Database from 'better-sqlite3';
import { TransientError } from '../../errors.ts';
import { hash64 } from '../../lib/hash.ts';
import { keptIn } from '../../lib/kept.ts';
import type { Db } from '../database.ts';
import { HOST_COLUMNS, openFrontier, QUEUE_SIZE, storedState } from './frontier-file.ts';
import { type FetchedPage, type HostRecord, type NewUrl, PARTIAL, type QueuedUrl } from './records.ts';

const PAGE_COLUMNS = `url, fetched_at_ms AS fetchedAtMs, etag, last_modified AS lastModified, digest, depth, visits, changes,
  first_at_ms AS firstAtMs`;

export class FrontierStore {
  readonly #db: Db;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #hostIds = new Map<string, number>();
  /** URLs met recently: the menus of a site stand on all its pages. */
  readonly #recent = new Float64Array(RECENT_SLOTS);
  readonly #recentHosts = new Uint32Array(RECENT_SLOTS);
  #seq: number;
  #turn: number;

  private constructor(db: Db) {
    this.#db = db;
    db.exec('BEGIN IMMEDIATE');
    this.#seq = this.#one<number>('SELECT coalesce(max(seq), 0) FROM queue');
    this.#turn = this.#one<number>('SELECT coalesce(max(turn), 0) FROM host');
    // Back queues, parked URLs and what was given up belong to a process: what waited when it ended is due again.
    db.exec(
      `UPDATE host SET is_active = 0, retired = NULL, best = best % ${PARKED}
        WHERE is_active = 1 OR retired IS NOT NULL OR best >= ${PARKED}`,
    );
  }

  /** Errors  as `openFrontier`. */
  static open(path: string): FrontierStore {
    return new FrontierStore(openFrontier(path, { readonly: false }));
  }

  /** What the crawler has to remember between runs, as it was at the last commit; null before the first. */
  state(): unknown {
    return storedState(this.#db);
  }

  /** Makes all changes since the last commit durable, together with the state. */
  commit(state: unknown): void {
    this.#run('INSERT OR REPLACE INTO state (id, json) VALUES (1, ?)', JSON.stringify(state));
    this.#db.exec('COMMIT');
    this.#db.exec('BEGIN IMMEDIATE');
  }

  /** Changes that were not committed are dropped. */
  close(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
    this.#db.close();
  }

  hostId(name: string): number {
    const known = this.#hostIds.get(name);
    if (known !== undefined) return known;
    this.#run('INSERT OR IGNORE INTO host (name) VALUES (?)', name);
    const id = this.#one<number>('SELECT id FROM host WHERE name = ?', name);
    if (this.#hostIds.size >= MAX_HOST_IDS) this.#hostIds.clear();
    this.#hostIds.set(name, id);
    return id;
  }

  /** Notes a URL; false where it was known. */
  see(hostId: number, url: string): boolean {
    const print = fingerprint(url);
    const slot = (print ^ hostId) & (RECENT_SLOTS - 1);
    if (this.#recent[slot] === print && this.#recentHosts[slot] === hostId) return false;
    this.#recent[slot] = print;
    this.#recentHosts[slot] = hostId;
    return this.#run('INSERT OR IGNORE INTO seen (host_id, fingerprint) VALUES (?, ?)', hostId, print) > 0;
  }

  /** Puts URLs behind all others of the same priority; parked ones are not found until they are unparked. */
  enqueue(hostId: number, urls: readonly NewUrl[], { attempts = 0, isParked = false } = {}): void {
    let best = NO_PRIORITY;
    for (const { url, kind, depth, redirects, ...given } of urls) {
      const priority = given.priority + (isParked ? PARKED : 0);
      const sql = `INSERT INTO queue (host_id, priority, seq, url, kind, depth, redirects, attempts)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
      this.#run(sql, hostId, priority, ++this.#seq, url, kind, depth, redirects, attempts);
      best = Math.min(best, priority);
    }
    const sql = 'UPDATE host SET queued = queued + ?, best = min(best, ?) WHERE id = ?';
    this.#run(sql, urls.length, best, hostId);
  }

  /** Takes a URL out: it is done with. */
  remove(hostId: number, { priority, seq }: QueuedUrl): void {
    this.#run('DELETE FROM queue WHERE host_id = ? AND priority = ? AND seq = ?', hostId, priority, seq);
    this.#run('UPDATE host SET queued = queued - 1 WHERE id = ?', hostId);
  }

  /** Takes a URL out for this sweep: the next one asks for it again. */
  leaveOver(hostId: number, item: QueuedUrl): void {
    this.remove(hostId, item);
    if (item.kind !== 'page') return;
    const sql = 'INSERT INTO left_over (url, depth, redirects) VALUES (?, ?, ?)';
    this.#run(sql, item.url, item.depth, item.redirects);
  }

  /** The first URLs of one priority of a host; they stay queued until they are removed. */
  first(hostId: number, priority: number, limit: number): QueuedUrl[] {
    const sql = `SELECT url, kind, priority, depth, redirects, seq, attempts FROM queue
      WHERE host_id = ? AND priority = ? ORDER BY seq LIMIT ?`;
    return this.#statement(sql).all(hostId, priority, limit) as QueuedUrl[];
  }

  /** Sets a URL aside: it stays queued, but is not found until it is unparked. */
  park(hostId: number, { priority, seq }: QueuedUrl): void {
    const sql = `UPDATE queue SET priority = priority + ${PARKED} WHERE host_id = ? AND priority = ? AND seq = ?`;
    this.#run(sql, hostId, priority, seq);
  }

  /** Puts what is parked of a host back in its place, where the URL begins so. Returns how many URLs that were. */
  unpark(hostId: number, prefix: string): number {
    const sql = `UPDATE queue SET priority = priority - ${PARKED}
      WHERE host_id = ? AND priority >= ${PARKED} AND substr(url, 1, length(?)) = ?`;
    const count = this.#run(sql, hostId, prefix, prefix);
    if (count > 0) this.#run(`UPDATE host SET best = min(best, ${BEST}) WHERE id = ?`, hostId);
    return count;
  }

  /** The host that has waited longest among those whose best URL has this priority; it is active from now on. */
  activate(priority: number): HostRecord | null {
    const sql = `SELECT id FROM host INDEXED BY host_waiting
      WHERE queued > 0 AND is_active = 0 AND best = ? ORDER BY turn LIMIT 1`;
    const found = this.#get(sql, priority) as { id: number } | undefined;
    return found === undefined ? null : this.activateHost(found.id);
  }

  /** A host, which is active from now on, whatever is queued of it. */
  activateHost(hostId: number): HostRecord {
    this.#run('UPDATE host SET is_active = 1 WHERE id = ?', hostId);
    return this.#get(`SELECT ${HOST_COLUMNS} FROM host WHERE id = ?`, hostId) as HostRecord;
  }

  /** URLs still to fetch, and hosts that have some. */
  queueSize(): { urls: number; hosts: number } {
    return this.#get(QUEUE_SIZE) as { urls: number; hosts: number };
  }

  /** Hands a host back: it waits behind all others. */
  release(hostId: number, nextAtMs: number): void {
    const sql = `UPDATE host SET is_active = 0, turn = ?, next_at_ms = ?, best = ${BEST} WHERE id = ?`;
    this.#run(sql, ++this.#turn, Math.ceil(nextAtMs), hostId);
  }

  /** No host waits for a later time: the clock of the last process may have been ahead of that of this one. */
  boundWaits(latestMs: number): void {
    this.#run('UPDATE host SET next_at_ms = ? WHERE next_at_ms > ?', latestMs, latestMs);
  }

  countFetch(hostId: number): void {
    this.#run('UPDATE host SET fetched = fetched + 1 WHERE id = ?', hostId);
  }

  /** Parks all that is queued of a host, for this process. */
  retire(hostId: number, reason: string): void {
    const sql = `UPDATE queue SET priority = priority + ${PARKED} WHERE host_id = ? AND priority < ${PARKED}`;
    this.#run(sql, hostId);
    this.#run(`UPDATE host SET best = ${BEST}, retired = ? WHERE id = ?`, reason, hostId);
  }

  /** Numbers of URLs that are still queued, by why their hosts were given up; null where it is for another reason. */
  queuedByReason(): { reason: string | null; count: number }[] {
    const sql = 'SELECT retired AS reason, sum(queued) AS count FROM host WHERE queued > 0 GROUP BY retired';
    return this.#statement(sql).all() as { reason: string | null; count: number }[];
  }

  /** Notes that a page of the host may have been missed. @param why one of `PARTIAL`. */
  markPartial(hostId: number, why: number): void {
    this.#run('UPDATE host SET is_partial = is_partial | ? WHERE id = ?', why, hostId);
  }

  /**
   * Names of hosts of which all that was found was asked for: none is partial, no share ended, no branch was given up.
   *
   * @param areLinksRead whether all pages that came were read in this sweep.
   */
  coveredHosts(areLinksRead: boolean): string[] {
    const sql = `SELECT name FROM host WHERE fetched > 0 AND queued = 0 AND retired IS NULL AND is_partial & ? = 0
      AND NOT EXISTS (SELECT 1 FROM branch_stop WHERE host_id = host.id) ORDER BY name`;
    const { fetches, links, earlierLinks } = PARTIAL;
    return this.#statement(sql)
      .pluck()
      .all(fetches | links | (areLinksRead ? 0 : earlierLinks)) as string[];
  }

  page(hostId: number, url: string): FetchedPage | null {
    const sql = `SELECT ${PAGE_COLUMNS} FROM page WHERE host_id = ? AND fingerprint = ?`;
    return (this.#get(sql, hostId, fingerprint(url)) as FetchedPage | undefined) ?? null;
  }

  /** A page of the host with this content, those left out whose record of it is lost. */
  pageWithDigest(hostId: number, digest: Uint8Array): FetchedPage | null {
    // Without the hint SQLite reads all pages of the host.
    const sql = `SELECT ${PAGE_COLUMNS} FROM page INDEXED BY page_digest
      WHERE host_id = ? AND digest = ? AND fetched_at_ms > 0 LIMIT 1`;
    return (this.#get(sql, hostId, digest) as FetchedPage | undefined) ?? null;
  }

  /** No page of the host has a record of this content to refer to any more: it is fetched and archived whole again. */
  loseContent(hostId: number, digest: Uint8Array): void {
    const sql = `UPDATE page INDEXED BY page_digest SET fetched_at_ms = 0, etag = NULL, last_modified = NULL
      WHERE host_id = ? AND digest = ?`;
    this.#run(sql, hostId, digest);
  }

  /** At its next visit a page is asked for whole, if it is known. */
  askWhole(hostId: number, url: string): void {
    const sql = "UPDATE page SET etag = NULL, last_modified = '' WHERE host_id = ? AND fingerprint = ?";
    this.#run(sql, hostId, fingerprint(url));
  }

  savePage(hostId: number, page: FetchedPage): void {
    const { url, fetchedAtMs, etag, lastModified, digest, depth, visits, changes, firstAtMs } = page;
    const sql = `INSERT OR REPLACE INTO page (host_id, fingerprint, url, fetched_at_ms, etag, last_modified, digest,
      depth, visits, changes, first_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const values = [url, fetchedAtMs, etag, lastModified, digest, depth, visits, changes, firstAtMs];
    this.#run(sql, hostId, fingerprint(url), ...values);
  }

  /** All pages that were fetched, some at a time, so that the caller may write meanwhile. */
  *pages(): Generator<FetchedPage> {
    const sql = `SELECT host_id AS hostId, fingerprint, ${PAGE_COLUMNS} FROM page
      WHERE (host_id, fingerprint) > (?, ?) ORDER BY host_id, fingerprint LIMIT 1000`;
    let last = { hostId: -1, fingerprint: 0 };
    for (;;) {
      const rows = this.#statement(sql).all(last.hostId, last.fingerprint) as (FetchedPage & typeof last)[];
      yield* rows;
      if (rows.length < 1000) return;
      last = rows.at(-1)!;
    }
  }

  /** Counts one more query of a path and returns how many it has now. */
  countQuery(hostId: number, path: string): number {
    const sql = `INSERT INTO query_count (host_id, path_fingerprint, count) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`;
    return (this.#get(sql, hostId, fingerprint(path)) as { count: number }).count;
  }

  stopBranch(hostId: number, branch: string): void {
    this.#run('INSERT OR IGNORE INTO branch_stop (host_id, branch) VALUES (?, ?)', hostId, branch);
  }

  stoppedBranches(hostId: number): string[] {
    const rows = this.#statement('SELECT branch FROM branch_stop WHERE host_id = ?').all(hostId);
    return (rows as { branch: string }[]).map(({ branch }) => branch);
  }

  /**
   * Forgets what was queued and seen, but not what was fetched, nor which pages are left over: the next sweep begins.
   *
   * @param keptLinks the marks of `PARTIAL` that say that links are left out of pages that may answer 304.
   */
  beginSweep(keptLinks: number): void {
    this.#recentHosts.fill(0);
    // What was not come to goes before what was asked for in vain, which may always be in vain.
    this.#db.exec(`INSERT INTO left_over (place, url, depth, redirects)
      SELECT row_number() OVER (ORDER BY seq) - (SELECT count(*) FROM queue) - 1, url, depth, redirects
      FROM queue WHERE kind = 'page'`);
    for (const table of ['seen', 'queue', 'query_count', 'branch_stop'])
      this.#db.exec(`DELETE FROM ${table}`);
    const clean = 'queued = 0, best = 99, is_active = 0, fetched = 0, retired = NULL';
    const partial = `CASE WHEN is_partial & ${keptLinks} THEN ${PARTIAL.earlierLinks} ELSE 0 END`;
    this.#db.exec(`UPDATE host SET ${clean}, is_partial = ${partial}`);
  }

  /** Takes out what the sweep before left over; some at a time, so that the caller may write meanwhile. */
  *leftOver(): Generator<Pick<NewUrl, 'url' | 'depth' | 'redirects'>> {
    const sql =
      'SELECT place, url, depth, redirects FROM left_over WHERE place > ? ORDER BY place LIMIT 1000';
    for (let place = Number.MIN_SAFE_INTEGER; ; ) {
      const rows = this.#statement(sql).all(place) as (NewUrl & { place: number })[];
      yield* rows;
      if (rows.length < 1000) break;
      place = rows.at(-1)!.place;
    }
    this.#run('DELETE FROM left_over');
  }

  /**
   * A write for which there is no room ends the transaction. What comes after it would be durable without what came before.
   *
   * Errors  TransientError AKIN_ERR_DISK then.
   */
  #statement(sql: string): Database.Statement {
    if (!this.#db.inTransaction) {
      throw new TransientError('AKIN_ERR_DISK', `cannot write ${this.#db.name}: an earlier write failed`);
    }
    return keptIn(this.#statements, sql, () => this.#db.prepare(sql));
  }

  #run(sql: string, ...values: unknown[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  #get(sql: string, ...values: unknown[]): unknown {
    return this.#statement(sql).get(...values);
  }

  #one<Value>(sql: string, ...values: unknown[]): Value {
    return this.#statement(sql)
      .pluck()
      .get(...values) as Value;
  }
}

const NO_PRIORITY = 99;
/** Added to the priority of what is parked. */
const PARKED = 100;
const BEST = `coalesce((SELECT min(priority) FROM queue WHERE host_id = host.id), ${NO_PRIORITY})`;
const RECENT_SLOTS = 2 ** 17;
const MAX_HOST_IDS = 50_000;
const lanes = new Uint32Array(2);

/** 53 bits, kept by host: two of a million URLs of one host agree by accident with probability 1 in 18,000. */
function fingerprint(url: string): number {
  hash64(url, lanes);
  return (lanes[1]! & 0x1fffff) * 2 ** 32 + lanes[0]!;
}
