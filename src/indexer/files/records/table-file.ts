import { inWords } from '../../../lib/in-words.ts';
import type { WorkFiles } from '../work-folder.ts';
import { ArrayFile, type ArrayKind, type ArrayWriter, type NumberArray } from './array-file.ts';

/** Of each column the kind of its numbers. */
type Columns = Readonly<Record<string, ArrayKind<NumberArray>>>;
type ArrayOf<Kind> = Kind extends { readonly prototype: infer T extends NumberArray } ? T : never;
/** The arrays of all columns. */
type Arrays<C extends Columns> = { readonly [Name in keyof C]: ArrayOf<C[Name]> };

/** A table in the work folder: one file for each column, with numbers of the same rows. `pair` has `pair-a`, `pair-b` and so on. */
export class TableFile<C extends Columns> {
  readonly columns: { readonly [Name in keyof C]: ArrayFile<ArrayOf<C[Name]>> };

  constructor(name: string, columns: C) {
    const files = Object.entries(columns).map(([column, kind]) => {
      return [column, new ArrayFile(`${name}-${inWords(column, '-')}`, kind)];
    });
    this.columns = Object.fromEntries(files);
  }

  /** A writer for each column; see `closeAll`. */
  writers(folder: WorkFiles): { readonly [Name in keyof C]: ArrayWriter<ArrayOf<C[Name]>> } {
    return this.#each((column) => column.writer(folder));
  }

  write(folder: WorkFiles, arrays: Arrays<C>): void {
    for (const [name, column] of Object.entries(this.columns)) column.write(folder, arrays[name]!);
  }

  /** All columns, in shared memory. */
  read(folder: WorkFiles): Arrays<C> {
    return this.#each((column) => column.read(folder));
  }

  /** All columns, in memory of this thread alone. */
  readOwn(folder: WorkFiles): Arrays<C> {
    return this.#each((column) => column.readOwn(folder));
  }

  /** The table block by block; a block is valid until the next one is asked for. The first column has one number a row. */
  *blocks(folder: WorkFiles, rowCount = 1 << 16): Generator<Arrays<C>, void, void> {
    const columns = Object.entries(this.columns);
    const allRows = columns[0]![1].length(folder);
    const blocks = columns.map(([name, column]) => {
      const width = column.length(folder) / allRows || 1;
      return [name, column.blocks(folder, rowCount * width)] as const;
    });
    try {
      for (;;) {
        const next = blocks.map(([name, ofColumn]) => [name, ofColumn.next().value] as const);
        if (next[0]![1] === undefined) return;
        yield Object.fromEntries(next) as Arrays<C>;
      }
    } finally {
      for (const [, ofColumn] of blocks) ofColumn.return();
    }
  }

  #each<Result>(make: (column: ArrayFile<NumberArray>) => unknown): Result {
    return Object.fromEntries(
      Object.entries(this.columns).map(([name, column]) => [name, make(column)]),
    ) as Result;
  }
}

/** Closes files, such as those of the columns of a table: `Object.values(writers)`. */
export function closeAll(files: Iterable<{ close(): void }>): void {
  for (const file of files) file.close();
}
