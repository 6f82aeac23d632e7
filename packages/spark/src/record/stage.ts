import type { ShapingOptions } from 'akin-web/rooms/indexer/options/build-options';
import type { Columns, ColumnType, RowOf } from './columns.ts';

/** What a stage is given before its first record. */
export interface StageContext {
  /** The options of the build, as `akin index` takes them. */
  readonly options: ShapingOptions;
  /** What earlier steps of the job found, such as `{ "partPageCounts": ... }`. */
  readonly found: Readonly<Record<string, unknown>>;
}

export type Emit<Row> = (row: Row) => void;

/** A stage at work: takes the records of one task in their order. */
interface StageRun<In, Out> {
  take(row: In, emit: Emit<Out>): void | Promise<void>;
  /** After the last record. */
  end?(emit: Emit<Out>): void;
}

/**
 * A step of the build as a function from records to records: it holds what a few records need, never the collection, so
 * that any engine can sort the records, share them out and run it where it likes.
 */
export interface Stage<In extends Columns = Columns, Out extends Columns = Columns> {
  readonly name: string;
  /** One sentence. */
  readonly doc: string;
  /** How the records have to come; null where their order does not matter. */
  readonly order: string | null;
  readonly input: In;
  readonly output: Out;
  /** What a job has to know of this step before it, from what it has found: `akin-stage NAME --describe --found JSON`. */
  plan?(context: StageContext): Readonly<Record<string, unknown>>;
  open(context: StageContext): StageRun<RowOf<In>, RowOf<Out>>;
}

/** The stage itself, with the types of its columns. */
export function defineStage<
  const In extends Record<string, ColumnType>,
  const Out extends Record<string, ColumnType>,
>(stage: Stage<In, Out>): Stage<In, Out> {
  return stage;
}

/** A run that takes all adjacent records of one key at once; they are held until the key changes. */
export function byGroup<In, Out>(
  key: keyof In,
  work: (rows: readonly In[], emit: Emit<Out>) => void,
): StageRun<In, Out> {
  let rows: In[] = [];
  const flush = (emit: Emit<Out>) => {
    const group = rows;
    rows = [];
    if (group.length > 0) work(group, emit);
  };
  return {
    take(row, emit) {
      const next = rows.length > 0 && rows[0]![key] !== row[key];
      try {
        if (next) flush(emit);
      } finally {
        rows.push(row);
      }
    },
    end: flush,
  };
}
