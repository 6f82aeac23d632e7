/** Asks an open index inside this process, without a server: a route by its name, with values as programs have them. */
import { keptIn } from '../../lib/kept.ts';
import type { OrLater } from '../../lib/or-later.ts';
import type { PostedBody } from '../http/body.ts';
import type { Answered } from '../http/reply.ts';
import type { IndexFacts } from '../reads/facts.ts';
import type { Reads } from '../reads/reads.ts';
import { type AnsweringRow, QuestionNames, rowReader } from './route/answer-row.ts';
import { ROUTES } from './table.ts';

type Values = Readonly<Record<string, unknown>>;

interface Asked {
  readonly facts: IndexFacts;
  answer(make: (reads: Reads) => OrLater<unknown>): OrLater<Answered<unknown>>;
}

/**
 * Makes what asks a route of `index`; the answer is the value that HTTP writes as JSON, or a text. Values that are undefined
 * or null are left out.
 *
 * Errors  it rejects with the Problem that HTTP would answer.
 */
export function indexAsker(
  index: Asked,
): (route: string, values: Values, body: PostedBody | null) => Promise<unknown> {
  const ready = new Map<string, ReturnType<typeof readyRow>>();
  return async (route, values, body) => {
    const { row, read, names } = keptIn(ready, route, readyRow);
    const { question } = names.asked(index, read(...textsOf(row, values)), body);
    const { value } = await index.answer((reads) => row.answer(reads, question, null));
    return row.shown === undefined ? value : row.shown(value as never, question.query);
  };
}

/** A route, made ready once. */
function readyRow(name: string) {
  const row = (ROUTES as Readonly<Record<string, unknown>>)[name] as AnsweringRow;
  return { row, read: rowReader(row), names: new QuestionNames(name, row) };
}

/** Those of the query and those of the path, as an address has them, which is how they are checked. */
function textsOf({ inPath = {} }: AnsweringRow, values: Values): [query: Values, path: Values] {
  const texts = Object.entries(asTexts(values));
  const isInPath = ([name]: [string, unknown]) => Object.hasOwn(inPath, name);
  return [
    Object.fromEntries(texts.filter((pair) => !isInPath(pair))),
    Object.fromEntries(texts.filter(isInPath)),
  ];
}

/** Values of parameters as an address has them. */
export function asTexts(values: Values): Values {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}
