/** A record is described once: its fields in their order make what writes it, reads it and passes over it. */
import type { ByteReader, ByteWriter } from './bytes.ts';

/** How a value stands in a record. */
export interface Field<Value> {
  write(out: ByteWriter, value: Value): void;
  read(from: ByteReader): Value;
  skip(from: ByteReader): void;
}

// biome-ignore lint/suspicious/noExplicitAny: a field of whatever value.
export type Fields = Readonly<Record<string, Field<any>>>;
export type RecordOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never;
};

const skipSized = (from: ByteReader) => from.skip(from.varint());
const skipNumbers = (from: ByteReader) => {
  for (let n = from.varint(); n > 0; n--) from.varint();
};

export const varint: Field<number> = {
  write: (out, value) => out.varint(value),
  read: (from) => from.varint(),
  skip: (from) => void from.varint(),
};

export const f64: Field<number> = {
  write: (out, value) => out.f64(value),
  read: (from) => from.f64(),
  skip: (from) => from.skip(8),
};

export const flag: Field<boolean> = {
  write: (out, value) => out.u8(value ? 1 : 0),
  read: (from) => from.u8() === 1,
  skip: (from) => from.skip(1),
};

export const text: Field<string> = {
  write: (out, value) => out.text(value),
  read: (from) => from.text(),
  skip: skipSized,
};

/** A text of ASCII alone, as URLs are. */
export const ascii: Field<string> = { ...text, read: (from) => from.ascii() };

/** A text, or null where it says nothing. */
export const optional: Field<string | null> = {
  ...text,
  write: (out, value) => out.text(value ?? ''),
  read: (from) => from.text() || null,
};

/** One of some values, as its place among them: 128 at most. */
export function oneOf<const Value>(values: readonly Value[]): Field<Value> {
  return {
    write: (out, value) => out.u8(values.indexOf(value)),
    read: (from) => values[from.u8()]!,
    skip: (from) => from.skip(1),
  };
}

/** Behind their number; read as a view. */
export const bytes: Field<Uint8Array> = {
  write: (out, value) => {
    out.varint(value.length);
    out.raw(value);
  },
  read: (from) => from.raw(from.varint()),
  skip: skipSized,
};

/** All bytes to the end of the record; read as a view. */
export const rest: Field<Uint8Array> = {
  write: (out, value) => out.raw(value),
  read: (from) => from.rest(),
  skip: (from) => void from.rest(),
};

/** What a column of a table holds, behind its kind; bytes are read as a view. */
export const stored: Field<string | number | Uint8Array> = {
  write: (out, value) => {
    const kind = typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;
    out.u8(kind);
    STORED[kind].write(out, value as never);
  },
  read: (from) => STORED[from.u8()]!.read(from),
  skip: (from) => STORED[from.u8()]!.skip(from),
};
const STORED = [f64, text, bytes] as const;

/** Of a text: eight bytes, read as a copy. */
export const digest: Field<Uint8Array> = {
  write: (out, value) => out.raw(value),
  read: (from) => new Uint8Array(from.raw(8)),
  skip: (from) => from.skip(8),
};

export const doubles: Field<Float64Array> = {
  write: (out, values) => {
    out.varint(values.length);
    out.f64s(values);
  },
  read: (from) => from.f64s(from.varint()),
  skip: (from) => from.skip(8 * from.varint()),
};

/** Numbers ascending, as what each adds to the one before. */
export const ascending: Field<Uint32Array> = {
  write: (out, values) => {
    out.varint(values.length);
    for (let i = 0; i < values.length; i++) out.varint(values[i]! - (i === 0 ? 0 : values[i - 1]!));
  },
  read: (from) => {
    const values = new Uint32Array(from.varint());
    for (let i = 0, last = 0; i < values.length; i++) values[i] = last += from.varint();
    return values;
  },
  skip: skipNumbers,
};

export const uint32s = numbers<Uint32Array>(Uint32Array);
export const uint16s = numbers<Uint16Array>(Uint16Array);

function numbers<Column extends Uint32Array | Uint16Array>(
  kind: new (length: number) => Column,
): Field<Column> {
  return {
    write: (out, values) => {
      out.varint(values.length);
      for (let i = 0; i < values.length; i++) out.varint(values[i]!);
    },
    read: (from) => {
      const values = new kind(from.varint());
      for (let i = 0; i < values.length; i++) values[i] = from.varint();
      return values;
    },
    skip: skipNumbers,
  };
}

/** Any number of values of one form, behind their number. */
export function listOf<Value>(field: Field<Value>): Field<readonly Value[]> {
  return {
    write: (out, values) => {
      out.varint(values.length);
      for (const value of values) field.write(out, value);
    },
    read: (from) => {
      const values: Value[] = [];
      for (let n = from.varint(); n > 0; n--) values.push(field.read(from));
      return values;
    },
    skip: (from) => {
      for (let n = from.varint(); n > 0; n--) field.skip(from);
    },
  };
}

/** Records of these fields, in this order. */
export class RecordForm<F extends Fields> implements Field<RecordOf<F>> {
  readonly #fields: readonly (readonly [string, Field<unknown>])[];
  /** All fields. The bytes of views are those that are read from. */
  readonly read: (from: ByteReader) => RecordOf<F>;

  constructor(fields: F) {
    this.#fields = Object.entries(fields);
    this.read = this.reader<keyof F>(...Object.keys(fields));
  }

  write(out: ByteWriter, record: RecordOf<F>): void {
    const values = record as Readonly<Record<string, unknown>>;
    for (const [name, field] of this.#fields) field.write(out, values[name]);
  }

  skip(from: ByteReader): void {
    for (const [, field] of this.#fields) field.skip(from);
  }

  /** Reads some of the fields, passes over those between, and stops behind the last of them. */
  reader<Name extends keyof F>(...names: readonly Name[]): (from: ByteReader) => Pick<RecordOf<F>, Name> {
    const wanted = new Set<string>(names as readonly string[]);
    const last = this.#fields.findLastIndex(([name]) => wanted.has(name));
    const steps = this.#fields.slice(0, last + 1).map(([name, field]) => {
      return { name, field, isWanted: wanted.has(name) };
    });
    return (from) => {
      const record: Record<string, unknown> = {};
      for (const { name, field, isWanted } of steps) {
        if (isWanted) record[name] = field.read(from);
        else field.skip(from);
      }
      return record as Pick<RecordOf<F>, Name>;
    };
  }

  /** Reads all fields but some. */
  readerWithout<Name extends keyof F>(...names: readonly Name[]) {
    const wanted = this.#fields
      .map(([name]) => name)
      .filter((name) => !names.includes(name as Name & string));
    return this.reader(...(wanted as Exclude<keyof F, Name>[]));
  }

  /** Passes over all that stands before a field. */
  skipTo(name: keyof F): (from: ByteReader) => void {
    const before = this.#fields.slice(
      0,
      this.#fields.findIndex(([one]) => one === name),
    );
    return (from) => {
      for (const [, field] of before) field.skip(from);
    };
  }
}
