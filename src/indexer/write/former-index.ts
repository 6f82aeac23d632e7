import { AkinError } from '../../errors.ts';
import type { InputReader } from '../../store/read/input-reader.ts';
import { IndexReader } from '../../store/read/reader.ts';
import type { FormerRows } from '../../store/write/former-rows.ts';

type FormerPage = ReturnType<InputReader['texts']> extends IterableIterator<infer Page> ? Page : never;

/** An index that a build has among its inputs: rows made of pages that are as they were can be taken over. */
export class FormerIndex implements FormerRows {
  readonly search: FormerRows['search'];
  readonly #reader: IndexReader;
  readonly #pages: Iterator<FormerPage>;
  #next: IteratorResult<FormerPage>;

  private constructor(reader: IndexReader) {
    this.#reader = reader;
    this.search = reader.search.isKept && reader.search.isAsWritten() ? reader : null;
    this.#pages = reader.input.texts();
    this.#next = this.#pages.next();
  }

  /** Null where there is none that can be read. */
  static open(path: string | undefined): FormerIndex | null {
    const reader = path === undefined ? undefined : unlessDamaged(() => IndexReader.open(path));
    const index = reader && unlessDamaged(() => new FormerIndex(reader));
    if (index === undefined) reader?.close();
    return index ?? null;
  }

  /** The id of the page that had this URL, title and text, or -1. Asked in the order of URLs. */
  find(url: string, title: string, textDigest: Uint8Array | null): number {
    while (this.#next.done !== true && this.#next.value[1] < url) this.#next = this.#pages.next();
    if (this.#next.done === true) return -1;
    const [id, ofUrl, formerTitle, digest] = this.#next.value;
    const isSame = ofUrl === url && formerTitle === title && areEqual(digest, textDigest);
    return isSame ? id : -1;
  }

  readonly packedAs = (block: Uint8Array) => unlessDamaged(() => this.#reader.input.packedAs(block)) ?? null;

  close(): void {
    this.#pages.return?.();
    this.#reader.close();
  }
}

function areEqual(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null ? a === b : Buffer.compare(a, b) === 0;
}

/** What cannot be read is not taken over. */
function unlessDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AkinError)) throw error;
    return undefined;
  }
}
