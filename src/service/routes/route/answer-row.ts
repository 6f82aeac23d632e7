/** Reads and names questions to a row of the table of routes, whoever asks. */
import { DEFAULT_RELATION, type RelationName } from '../../../relations/relations.ts';
import type { PostedBody } from '../../http/body.ts';
import { questionHash, questionReader, viewName, viewNames } from '../../http/question/question.ts';
import { readCursor } from '../../http/question/request-key.ts';
import type { Generation } from '../../index/generation.ts';
import type { Parameters } from '../../schemas/parameter.ts';
import type { RouteText } from '../../schemas/route-schema.ts';
import type { OfMethod, Question, Way } from './route.ts';

/** A row of any parameters. */
export type Row = RouteText & OfMethod<never> & Way<never>;

/** A row that answers from one state of the index. */
export type AnsweringRow = Exclude<Row, { readonly act: unknown } | { readonly stream: unknown }>;

/** Parameters that mean the same wherever they are. */
interface Common {
  readonly by?: RelationName;
  readonly cursor?: string;
}

interface Asked {
  readonly question: Question<never>;
  /** How the answer is to be shown, and what else it depends on: with `hash`, the name of the request. */
  readonly detail: string;
}

/**
 * Reads the parameters of a row, as texts: those of the address, and those of the path.
 *
 * Errors  the reader throws Problem `invalid-parameters`.
 */
export function rowReader({ query, inPath }: Row): (query: unknown, inPath?: unknown) => never {
  const readPath = inPath && questionReader(inPath);
  const readQuery = questionReader(query);
  return (given, path) => {
    const values = readQuery(given);
    return (readPath === undefined ? values : { ...readPath(path), ...values }) as never;
  };
}

/** Names questions to a row. */
export class QuestionNames {
  readonly #id: string;
  readonly #row: AnsweringRow;
  /** One object for all questions: rows are sorted out once for each. */
  readonly #parameters: Parameters;

  constructor(id: string, row: AnsweringRow) {
    this.#id = id;
    this.#row = row;
    this.#parameters = { ...row.inPath, ...row.query };
  }

  /** Errors  Problem of a question that this index cannot answer. */
  asked({ facts }: Pick<Generation, 'facts'>, query: never, body: PostedBody | null): Asked {
    if (this.#row.method !== 'GET') return { question: { query, offset: 0, hash: '', body }, detail: '' };
    const { requires, stamp, query: rows } = this.#row;
    const { by = DEFAULT_RELATION.name, cursor }: Common = query;
    if (rows['by'] !== undefined) facts.require(by);
    requires?.(facts, query);
    const hash = questionHash(this.#id, this.#parameters, query);
    const offset = readCursor(cursor, facts.state, hash, viewNames(this.#parameters));
    const detail = viewName(this.#parameters, query, offset) + (stamp?.(facts) ?? '');
    return { question: { query, offset, hash, body }, detail };
  }
}
