import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { bytesOf } from '../../blobs/blobs.ts';
import type { WordPages } from './word-log.ts';

/** How a scratch file is opened: it is thrown away whatever happens. */
const SCRATCH = ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -2000'];

/** The words of one log after the other, each sorted, in a scratch file, until they are merged. */
export class WordRuns {
  readonly #path: string;
  #db: Database.Database | null = null;
  count = 0;

  /** `path` is where the file is put when there is something to write. */
  constructor(path: string) {
    this.#path = path;
  }

  add(words: Iterable<WordPages>): void {
    if (this.#db === null) {
      rmSync(this.#path, { force: true });
      this.#db = new Database(this.#path);
      for (const pragma of SCRATCH) this.#db.pragma(pragma);
    }
    const table = `run_${this.count++}`;
    this.#db.exec(`CREATE TABLE ${table} (word TEXT, entries BLOB)`);
    const insert = this.#db.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    this.#db.transaction(() => {
      for (const { word, entries } of words) insert.run(word, bytesOf(entries));
    })();
  }

  /** Those of all runs and `last`, by word; of one word by run, so that its pages ascend. */
  *merged(last: Iterable<WordPages>): IterableIterator<WordPages> {
    if (this.#db === null) {
      yield* last;
      return;
    }
    const sources: Iterator<WordPages>[] = [];
    for (let run = 0; run < this.count; run++) sources.push(this.#run(run));
    sources.push(last[Symbol.iterator]());
    const heads = sources.map(nextOf);
    for (;;) {
      let word: string | null = null;
      for (const head of heads) if (head !== null && (word === null || head.word < word)) word = head.word;
      if (word === null) return;
      for (const [i, source] of sources.entries()) {
        const head = heads[i]!;
        if (head?.word !== word) continue;
        yield head;
        heads[i] = nextOf(source);
      }
    }
  }

  *#run(run: number): IterableIterator<WordPages> {
    const rows = this.#db!.prepare(`SELECT word, entries FROM run_${run} ORDER BY rowid`).raw().iterate();
    for (const [word, entries] of rows as IterableIterator<[string, Uint8Array]>) {
      yield { word, entries: new Uint32Array(Uint8Array.from(entries).buffer) };
    }
  }

  discard(): void {
    if (this.#db === null) return;
    this.#db.close();
    this.#db = null;
    rmSync(this.#path, { force: true });
  }
}

function nextOf(source: Iterator<WordPages>): WordPages | null {
  const { done, value } = source.next();
  return done === true ? null : value;
}
