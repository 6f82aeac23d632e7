/**
 * Fields that a page gives in its head, `<meta name="akin:price" content="12.5">`: what JSON would take for a number, true or false is one, any
 * other value a text. A name that comes again has a list.
 */
import { listIn } from '../../lib/kept.ts';
import type { FieldScalar } from './page-fields.ts';

const START = 'akin:';
/** As JSON writes a number, of a length that no field needs more of. */
const NUMBER = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?$/;
/** More than a page may have: those that are read must show that there are too many. */
const MAX_VALUES = 5000;

export class MetaFields {
  readonly #values = new Map<string, FieldScalar[]>();
  #count = 0;

  /** @param name as it is written: names of fields have capitals. Whether it is the name of a field. */
  saw(name: string, content: string): boolean {
    if (name.slice(0, START.length).toLowerCase() !== START) return false;
    const value = content.trim();
    if (value === '' || ++this.#count > MAX_VALUES) return true;
    listIn(this.#values, name.slice(START.length)).push(scalarOf(value));
    return true;
  }

  /** As a record gives them, unchecked; undefined for none. */
  get given(): Readonly<Record<string, FieldScalar | readonly FieldScalar[]>> | undefined {
    if (this.#values.size === 0) return undefined;
    const fields = Array.from(this.#values, ([name, values]) => [
      name,
      values.length > 1 ? values : values[0]!,
    ]);
    return Object.fromEntries(fields);
  }
}

function scalarOf(text: string): FieldScalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) ? Number(text) : text.toWellFormed();
}
