/**
 * What a list asks of a field of its pages, in words:
 *
 *   category=tea     tags=green,black     any of these       price=10..20  price=..20  price=10..   both ends count
 *   category=same    as the page that is asked about         day=2024-05-01..2024-05-31   dates, whole days
 *   category=        the empty text, as a value
 *
 * A `\` takes from the character behind it what it means here. A value is compared by what it is: a number by its value, a date
 * by its time, true, false and any other text by its letters.
 */
import { dateSpan } from './field-date.ts';
import {
  type FieldKind,
  type FieldScalar,
  fieldValues,
  isFieldName,
  type PageFields,
} from './page-fields.ts';

/** Values that pass, in one of these ways; null for an open end. */
export type FieldTest =
  | readonly ['text', text: string]
  | readonly ['number' | 'date', from: number | null, to: number | null];

/** What is asked of one field: that it has a value which passes a test. */
interface FieldCondition {
  readonly name: string;
  /** Null for the values that the page asked about has. */
  readonly tests: readonly FieldTest[] | null;
}

/** A value as an index orders it. */
export type FieldKey = readonly ['text', string] | readonly ['number' | 'date', number];

const MAX_CONDITION_CHARS = 1000;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const SAME = 'same';

/** Reads `NAME=VALUE`; null for what is of no such form. */
export function parseCondition(text: string): FieldCondition | null {
  const equals = text.indexOf('=');
  const name = text.slice(0, Math.max(0, equals));
  const value = text.slice(equals + 1);
  if (equals < 0 || !isFieldName(name) || text.length > MAX_CONDITION_CHARS) return null;
  if (value === SAME) return { name, tests: null };
  if (value === '') return { name, tests: [['text', '']] };
  const tests: FieldTest[] = [];
  for (const piece of piecesOf(value)) {
    const found = piece.ends === null ? testsOf(piece.text) : rangeOf(piece.ends);
    if (found === null || piece.text === '' || isReversed(found)) return null;
    tests.push(...found);
  }
  return { name, tests };
}

/** Whether a condition holds a caller to what it names: not the empty value, as a variable of a script that is not set would. */
export function namesValues(text: string): boolean {
  return parseCondition(text)?.tests?.every(([, value]) => value !== '') === true;
}

/** What is wrong with a text that `parseCondition` does not read, in words. */
export function conditionFault(text: string): string {
  const equals = text.indexOf('=');
  const ranges = piecesOf(text.slice(equals + 1)).filter(({ ends }) => ends !== null);
  if (isFieldName(text.slice(0, Math.max(0, equals)))) {
    for (const { ends } of ranges) {
      const range = `"${ends!.join('..')}"`;
      const tests = rangeOf(ends!);
      if (tests === null)
        return `${range} is no range of numbers or of dates; in a text, write \\ before each dot`;
      if (isReversed(tests))
        return `${range} is a range that ends before it begins; the lesser end comes first`;
    }
  }
  return 'must be NAME=VALUE';
}

/** What is wrong with a condition on a field whose values are declared to be of a kind; null where nothing is. */
export function conditionKindFault({ name, tests }: FieldCondition, kind: FieldKind | null): string | null {
  if (kind === null || kind === 'any') return null;
  // A number stands as a text before it, too.
  const wrong = (tests ?? []).find((test) =>
    test[0] === 'text' ? kind === 'date' || !NUMBER.test(test[1]) : test[0] !== kind,
  );
  if (wrong === undefined) return null;
  const given = wrong[0] === 'text' ? `"${wrong[1]}" is none` : `what is asked for is a ${wrong[0]}`;
  return `each value of ${name} is a ${kind}, and ${given}`;
}

/** The tests that the values of a page pass, and no others. */
export function testsOfValues(values: readonly FieldScalar[]): FieldTest[] {
  return values.map((value) => {
    const key = fieldKey(value);
    return key[0] === 'text' ? key : [key[0], key[1], key[1]];
  });
}

export function fieldKey(value: FieldScalar): FieldKey {
  if (typeof value === 'number') return ['number', value];
  const span = typeof value === 'string' ? dateSpan(value) : null;
  return span === null ? ['text', String(value)] : ['date', span[0]];
}

/** Whether a page has a value of a field that passes a test. */
export function passes(fields: PageFields, name: string, tests: readonly FieldTest[]): boolean {
  return fieldValues(fields, name).some((value) => {
    const [kind, at] = fieldKey(value);
    return tests.some((test) => {
      if (test[0] === 'text') return test[1] === at;
      const [asked, from, to] = test;
      return asked === kind && (from === null || at >= from) && (to === null || at <= to);
    });
  });
}

function isReversed(tests: readonly FieldTest[]): boolean {
  return tests.some(
    (test) => test[0] !== 'text' && test[1] !== null && test[2] !== null && test[1] > test[2],
  );
}

/** A text may stand for a number too. */
function testsOf(text: string): FieldTest[] {
  const span = dateSpan(text);
  if (span !== null) return [['date', ...span]];
  const number = Number(text);
  const isNumber = NUMBER.test(text) && Number.isFinite(number);
  return isNumber
    ? [
        ['text', text],
        ['number', number, number],
      ]
    : [['text', text]];
}

/** Of numbers or of dates; null for ends of neither kind, or none. */
function rangeOf([first, last]: readonly [string, string]): FieldTest[] | null {
  const given = [first, last].filter((end) => end !== '');
  if (given.length === 0) return null;
  const isNumbers = given.every((end) => NUMBER.test(end) && Number.isFinite(Number(end)));
  const spans = given.map(dateSpan);
  if (!isNumbers && spans.includes(null)) return null;
  const from = first === '' ? null : isNumbers ? Number(first) : dateSpan(first)![0];
  const to = last === '' ? null : isNumbers ? Number(last) : dateSpan(last)![1];
  return [[isNumbers ? 'number' : 'date', from, to]];
}

interface Piece {
  readonly text: string;
  /** Of a range, what stands on either side of its dots. */
  readonly ends: readonly [string, string] | null;
}

/** The values between commas. */
function piecesOf(value: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let dotsAt = -1;
  const end = () => {
    const ends = dotsAt < 0 ? null : ([text.slice(0, dotsAt), text.slice(dotsAt)] as const);
    pieces.push({ text, ends });
    text = '';
    dotsAt = -1;
  };
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!;
    if (char === ',') end();
    else if (char === '.' && value[at + 1] === '.' && dotsAt < 0) {
      dotsAt = text.length;
      at++;
    } else if (char === '\\' && at + 1 < value.length) text += value[++at]!;
    else text += char;
  }
  end();
  return pieces;
}
