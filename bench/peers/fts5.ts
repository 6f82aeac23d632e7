/**
 * SQLite's full text index asked for "any of the 25 terms that say most": tf · log(N / df), ranked by its BM25.
 * An argument names the folder of the texts, as for the other drivers.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { porterStem } from '../../src/features/counts/porter.ts';
import type { PeerResult } from './drivers.ts';
import { ask, building } from './timing.ts';

const TERMS = 25;

interface Built {
  readonly db: Database.Database;
  readonly pageCounts: ReadonlyMap<string, number>;
}

function build(path: string, texts: readonly string[]): Built {
  rmSync(path, { force: true });
  const db = new Database(path);
  db.pragma('journal_mode = off');
  db.exec(`CREATE VIRTUAL TABLE page USING fts5(text, content = '', tokenize = 'porter unicode61')`);
  db.exec(`CREATE VIRTUAL TABLE term USING fts5vocab(page, 'row')`);
  const insert = db.prepare('INSERT INTO page (rowid, text) VALUES (?, ?)');
  db.transaction(() => {
    for (const [page, text] of texts.entries()) insert.run(page + 1, text);
  })();
  const rows = db.prepare('SELECT term, doc FROM term').all() as { term: string; doc: number }[];
  return { db, pageCounts: new Map(rows.map(({ term, doc }) => [term, doc])) };
}

/** The words of the best terms, in the words of the text: the index stems them itself. */
function queryOf(text: string, pageCounts: ReadonlyMap<string, number>, pageTotal: number): string {
  const counts = new Map<string, { word: string; count: number }>();
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    const stem = porterStem(word);
    const held = counts.get(stem);
    if (held === undefined) counts.set(stem, { word, count: 1 });
    else held.count++;
  }
  const scored = Array.from(counts, ([stem, { word, count }]) => {
    const pages = pageCounts.get(stem) ?? 0;
    return { word, score: pages < 2 ? 0 : count * Math.log(pageTotal / pages) };
  });
  scored.sort((a, b) => b.score - a.score);
  return scored
    .slice(0, TERMS)
    .map(({ word }) => `"${word}"`)
    .join(' OR ');
}

async function measureFts5(folder: string): Promise<PeerResult> {
  const texts = readFileSync(join(folder, 'texts.txt'), 'utf8').split('\n');
  const queries = readFileSync(join(folder, 'queries.txt'), 'utf8').split('\n').map(Number);
  let built: Built | null = null;
  const times = await building(() => {
    built?.db.close();
    built = build(join(folder, 'fts5.db'), texts);
  });
  const { db, pageCounts } = built!;
  const search = db.prepare('SELECT rowid - 1 FROM page WHERE page MATCH ? ORDER BY rank LIMIT 11').pluck();
  const found = await ask(queries, (page) => {
    const ids = search.all(queryOf(texts[page]!, pageCounts, texts.length)) as number[];
    return ids.filter((other) => other !== page).slice(0, 10);
  });
  db.close();
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  return { peakMiB, settings: [{ name: `${TERMS} terms`, ...times, ...found }] };
}

if (import.meta.main) {
  const folder = process.argv[2]!;
  writeFileSync(join(folder, 'result.json'), JSON.stringify(await measureFts5(folder)));
}
