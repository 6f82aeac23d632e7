/**
 * Damages copies of sound indexes at random and opens them by every door: `check`, `show` and the service with a request
 * of every kind. A damaged file may be refused or, where the damage is in what is not asked for, answered; it never is
 * a fault of akin, a crash or a wait.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Random } from '../../src/lib/random.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { buildPages, PRINTED, temporaryFolder } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';
import type { Seen } from './corrupt-child.ts';

const CHILD = fileURLToPath(new URL('./corrupt-child.ts', import.meta.url));
const PAGE_BYTES = 8192;
const MOST_MS = 60_000;

type Bytes = Buffer<ArrayBuffer>;
type Db = Database.Database;
interface Damage {
  readonly name: string;
  readonly bytes?: (bytes: Bytes, random: Random, other: Bytes) => Bytes;
  readonly rows?: (db: Db, random: Random) => void;
}

const somePage = (bytes: Bytes, random: Random) => {
  const at = random.below(bytes.length / PAGE_BYTES) * PAGE_BYTES;
  return bytes.subarray(at, at + PAGE_BYTES);
};
const noise = (bytes: Bytes, random: Random) => {
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
};
const flip = (bytes: Bytes, random: Random, most: number) => {
  for (let left = 1 + random.below(most); left > 0; left--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
};

/** Values that no column expects: of another size, sign, form or kind. */
const STRANGE: readonly ((random: Random) => unknown)[] = [
  () => -1,
  () => 0,
  (random) => random.below(300),
  () => 2 ** 40,
  () => Number.MAX_SAFE_INTEGER,
  () => 9_223_372_036_854_775_807n,
  () => 0.5,
  () => Number.POSITIVE_INFINITY,
  () => '',
  () => 'x',
  () => 'javascript:alert(1)',
  () => 'https://a.example/"},{"url":"https://b.example/',
  () => '{"a":[',
  () => 'null',
  () => '\0\uFFFF\u2028',
  () => null,
  (random) => Buffer.alloc(random.below(9), random.below(256)),
  (random) => Buffer.alloc(5000, random.below(256)),
];

const tablesOf = (db: Db) =>
  db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .pluck()
    .all() as string[];
const pick = <T>(list: readonly T[], random: Random): T => list[random.below(list.length)]!;
const columnsOf = (db: Db, table: string) =>
  db.pragma(`table_info(${table})`) as { name: string; type: string; pk: number }[];

/** Takes the words that guard columns out of the schema: NOT NULL, STRICT, UNIQUE and CHECK. */
function unguard(db: Db): void {
  db.unsafeMode();
  db.pragma('writable_schema = ON');
  db.exec(
    `UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, ' NOT NULL', ''), 'STRICT, ', ''), ' STRICT', ''),
     ' CHECK (kind IN (''redirect'', ''canonical''))', '') WHERE type = 'table'`,
  );
  db.pragma('writable_schema = RESET');
}

const DAMAGES: readonly Damage[] = [
  { name: 'bits flipped', bytes: (bytes, random) => flip(bytes, random, 40) },
  {
    name: 'bits of one page flipped',
    bytes: (bytes, random) => {
      flip(somePage(bytes, random), random, 12);
      return bytes;
    },
  },
  {
    name: 'bits of the header flipped',
    bytes: (bytes, random) => {
      flip(bytes.subarray(0, 100), random, 3);
      return bytes;
    },
  },
  { name: 'cut', bytes: (bytes, random) => bytes.subarray(0, random.below(bytes.length)) },
  {
    name: 'two pages exchanged',
    bytes: (bytes, random) => {
      const [a, b] = [somePage(bytes, random), somePage(bytes, random)];
      const kept = Buffer.from(a);
      a.set(b);
      b.set(kept);
      return bytes;
    },
  },
  {
    name: 'a page of zeros',
    bytes: (bytes, random) => {
      somePage(bytes, random).fill(0);
      return bytes;
    },
  },
  {
    name: 'a page of noise',
    bytes: (bytes, random) => {
      noise(somePage(bytes, random), random);
      return bytes;
    },
  },
  {
    name: 'a page of another index',
    bytes: (bytes, random, other) => {
      const at = random.below(Math.min(bytes.length, other.length) / PAGE_BYTES) * PAGE_BYTES;
      bytes.set(other.subarray(at, at + PAGE_BYTES), at);
      return bytes;
    },
  },
  {
    name: 'values of another kind',
    rows: (db, random) => {
      unguard(db);
      for (let left = 1 + random.below(3); left > 0; left--) {
        const table = pick(tablesOf(db), random);
        const column = pick(columnsOf(db, table), random).name;
        const where =
          random.below(2) === 0 ? '' : ` WHERE ${column} IN (SELECT ${column} FROM ${table} LIMIT 3)`;
        try {
          db.prepare(`UPDATE ${table} SET ${column} = ?${where}`).run(pick(STRANGE, random)(random));
        } catch (error) {
          assert.match(
            String((error as { code?: string }).code),
            /SQLITE_(CONSTRAINT|MISMATCH)/,
            'a key that is taken',
          );
        }
      }
    },
  },
  {
    name: 'bits of packed columns flipped',
    rows: (db, random) => {
      const packed = tablesOf(db).flatMap((table) =>
        columnsOf(db, table)
          .filter(({ type }) => type === 'BLOB')
          .map(({ name }) => ({ table, name })),
      );
      for (let left = 1 + random.below(5); left > 0; left--) {
        const { table, name } = pick(packed, random);
        const blobs = db
          .prepare(`SELECT ${name} FROM ${table} WHERE length(${name}) > 0`)
          .pluck()
          .all() as Bytes[];
        if (blobs.length === 0) continue;
        const blob = pick(blobs, random);
        const damaged =
          random.below(4) === 0
            ? blob.subarray(random.below(blob.length))
            : flip(Buffer.from(blob), random, 4);
        db.prepare(`UPDATE OR IGNORE ${table} SET ${name} = ? WHERE ${name} = ?`).run(damaged, blob);
      }
    },
  },
  {
    name: 'rows lost',
    rows: (db, random) => {
      const table = pick(tablesOf(db), random);
      const key = columnsOf(db, table).find(({ pk }) => pk === 1)!.name;
      const keys = db.prepare(`SELECT DISTINCT ${key} FROM ${table} ORDER BY 1`).pluck().all();
      const [every, from] = [1 + random.below(10), random.below(10)];
      const lost = db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`);
      for (let at = from % every; at < keys.length; at += every) lost.run(keys[at]);
    },
  },
  {
    name: 'a table, a column or an index lost',
    rows: (db, random) => {
      const table = pick(tablesOf(db), random);
      const free = columnsOf(db, table).filter(({ pk }) => pk === 0);
      if (random.below(2) === 0 || free.length === 0) {
        db.exec(`DROP TABLE ${table}`);
        return;
      }
      unguard(db);
      db.exec(`ALTER TABLE ${table} RENAME COLUMN ${pick(free, random).name} TO gone_column`);
    },
  },
  {
    name: 'ids moved',
    rows: (db, random) => {
      const [table, column] = pick(
        [
          ['page', 'id'],
          ['page', 'site_id'],
          ['cluster', 'id'],
          ['cluster', 'center_id'],
          ['member', 'page_id'],
          ['alias', 'page_id'],
          ['capture', 'page_id'],
          ['capture', 'version_id'],
          ['capture', 'sweep_id'],
          ['version', 'id'],
          ['feature', 'id'],
          ['neighbor', 'id'],
          ['bag', 'id'],
          ['posting', 'id'],
          ['relation', 'id'],
        ] as const,
        random,
      );
      const by = pick([1, -1, 1000, 2 ** 33, -(2 ** 33)], random);
      db.exec(
        `UPDATE OR IGNORE ${table} SET ${column} = ${column} + ${by} WHERE ${random.below(2) === 0 ? '1' : `${column} % 5 = 1`}`,
      );
    },
  },
];

/** `caseCount` seeded cases, an equal number of every kind of damage; each is asked about `pageCount` pages. */
export async function openDamaged(
  t: TestContext,
  caseCount: number,
  seed: number,
  pageCount: number,
): Promise<void> {
  const folder = temporaryFolder(t);
  const pages = [
    ...villagePages(8),
    {
      url: 'https://village0.example/old',
      html: '',
      status: 301,
      location: 'https://village0.example/p1.html',
    },
  ];
  const built = [await buildPages(t, pages), await buildPages(t, villagePages(6), PRINTED)];
  const sound = built.map(({ target }) => readFileSync(target));
  const requests = requestsOf(built[0]!.target, pageCount);
  let child = startChild(requests);
  t.after(() => child.process.kill('SIGKILL'));
  let [answered, refused, opened] = [0, 0, 0];
  const wrong: string[] = [];
  for (let number = 0; number < caseCount; number++) {
    const random = new Random(seed + number);
    const damage = DAMAGES[number % DAMAGES.length]!;
    const which = random.below(3) === 0 ? 1 : 0;
    const path = join(folder, `${number}.akin`);
    plant(damage, path, sound[which]!, sound[1 - which]!, random);
    const seen = await child.open(path);
    const name = `case ${number} (${damage.name})`;
    if (seen === null) {
      wrong.push(`${name}: ${await child.end()}`);
      child = startChild(requests);
      continue;
    }
    wrong.push(...seen.faults.map((fault) => `${name}: ${fault.slice(0, 1500)}`));
    const { check, show, serve } = seen.exitCodes;
    if (![0, 3, 5].includes(check) || ![0, 3, 5].includes(show))
      wrong.push(`${name}: check ${check}, show ${show}`);
    if (serve === 0) opened++;
    answered += seen.answered;
    refused += seen.refused;
  }
  assert.deepEqual(wrong, []);
  t.diagnostic(`${caseCount} files: ${opened} served, ${answered} requests answered, ${refused} refused`);
  assert.ok(opened > caseCount / 10 && answered > refused, 'some damage is where it hurts no answer');
}

function plant(damage: Damage, path: string, bytes: Bytes, other: Bytes, random: Random): void {
  if (damage.bytes !== undefined) {
    writeFileSync(path, damage.bytes(Buffer.from(bytes), random, other));
    return;
  }
  writeFileSync(path, bytes);
  const db = new Database(path);
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.pragma('journal_mode = MEMORY');
  damage.rows!(db, random);
  db.close();
}

/** One of every kind, about pages of a sound index. */
function requestsOf(path: string, pageCount: number): { url: string; body?: object }[] {
  const reader = IndexReader.open(path);
  const urls = [3, 9, 20].map((id) => reader.page(id).url);
  const key = reader.clusters.list(1, { level: 0, sort: 'size', limit: 1, offset: 0 })[0]!.key;
  const text = reader.versions.text(1)!.text;
  reader.close();
  const gets = urls
    .slice(0, pageCount)
    .flatMap((url) =>
      [
        '/related?',
        '/related?limit=50&explain=true&',
        '/related?by=copy&',
        '/related?by=coupling&',
        '/related?by=companion&explain=true&',
        '/related?site=village1.example&',
        '/related?cards=true&exclude_copies=true&fetched=only&',
        '/related.html?',
        '/page?',
        '/cluster?',
        '/cluster?by=copy&',
        '/moved?',
        '/history?',
      ].map((path) => ({ url: `${path}url=${encodeURIComponent(url)}` })),
    );
  return [
    ...gets,
    { url: '/related?url=https://village0.example/old' },
    { url: '/index' },
    { url: '/readyz' },
    { url: '/clusters' },
    { url: '/clusters?sort=label&level=1' },
    { url: '/search?q=rose' },
    { url: '/search?q=rose%20-thorn%20site:village1.example&lang=en&group=none' },
    { url: `/clusters/${key}` },
    { url: '/related/batch', body: { urls } },
    { url: '/similar', body: { url: urls[0] } },
    { url: '/similar', body: { text } },
    { url: '/similar?by=copy', body: { text } },
    {
      url: '/similar?exact=true&explain=true',
      body: { html: `<title>rose</title><a href="${urls[1]}">x</a>${text}` },
    },
    { url: '/compare', body: { a: { url: urls[0] }, b: { text } } },
    { url: '/compare', body: { a: { url: urls[1] }, b: { url: urls[2] } } },
    { url: '/group', body: { results: [...urls, 'https://village0.example/p2.html'] } },
  ];
}

interface Child {
  readonly process: ChildProcess;
  /** Null where the process ended or took too long. */
  open(path: string): Promise<Seen | null>;
  /** How it ended. */
  end(): Promise<string>;
}

function startChild(requests: object): Child {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(requests)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  child.stdin.on('error', () => {});
  return {
    process: child,
    async open(path) {
      child.stdin.write(`${path}\n`);
      const waiting = new AbortController();
      const late = delay(MOST_MS, null, { signal: waiting.signal }).catch(() => null);
      const next = await Promise.race([lines.next(), late]);
      waiting.abort();
      return next === null || next.done ? null : (JSON.parse(next.value) as Seen);
    },
    async end() {
      const isAlive = child.exitCode === null && child.signalCode === null;
      if (isAlive) child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return isAlive
        ? `no end in ${MOST_MS} ms ${said}`
        : `ended with ${child.exitCode ?? child.signalCode} ${said}`;
    },
  };
}
