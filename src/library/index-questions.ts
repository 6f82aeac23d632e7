/** An index file that a program asks: the answers of the HTTP service, without a server. */
import { optionFault } from '../errors.ts';
import { allLists } from '../service/answers/lists/all-lists.ts';
import { jsonBody } from '../service/http/body.ts';
import { errorOfProblem, type Hints } from '../service/http/problems/problem-error.ts';
import { questionReader } from '../service/http/question/question.ts';
import { Generation } from '../service/index/generation.ts';
import { openIndex as openFiles } from '../service/reads/shards/open-shards.ts';
import { asTexts, indexAsker } from '../service/routes/ask-index.ts';
import { LIST_FILTERS } from '../service/schemas/parameters/list-filters.ts';
import type { ListOptions, RelatedAnswer } from './generated.ts';
import { requirePath } from './given.ts';
import { type QuestionName, type Questions, questionsOf } from './questions.ts';

export interface OpenOptions {
  /**
   * Reads into memory what look-ups need, some 300 bytes a page: lists are read several times as fast, and opening takes
   * longer. Default false.
   */
  readonly preload?: boolean;
}

/** An open index. It stays as it was opened, whatever is built in its place meanwhile. */
export interface OpenedIndex extends Questions, AsyncDisposable {
  /** Names the state of the index, as every answer does. */
  readonly generation: string;
  /**
   * The lists of all pages, in the order of their URLs, each as `related` answers it: pages known by links alone have one
   * too. URLs that lead to another page have none.
   */
  lists(options?: ListOptions): AsyncGenerator<RelatedAnswer>;
  /** Closes the file. Calling it again changes nothing. */
  close(): Promise<void>;
}

/**
 * Opens an index file; of an index of several shards, the files of all of them.
 *
 * Errors  InputError, CorruptError where the file cannot be read as an index. Of the methods: NotIndexedError for a page or
 *         a cluster that is not there, InputError for a parameter that cannot be used.
 */
export async function openIndex(
  file: string | readonly string[],
  { preload = false }: OpenOptions = {},
): Promise<OpenedIndex> {
  const files = [file].flat();
  for (const one of files.length > 0 ? files : [undefined]) requirePath('the index', one);
  const index = await openFiles(files, { preload });
  return indexOf(new Generation(index, { threads: null }));
}

function indexOf(generation: Generation): OpenedIndex {
  let isClosed = false;
  const close = async () => {
    if (!isClosed) generation.retire();
    isClosed = true;
  };
  const requireOpen = () => {
    if (isClosed) throw optionFault('the index is closed', 'open it again');
  };
  const askRow = indexAsker(generation);
  const ask = async (name: QuestionName, values: object, body?: unknown) => {
    requireOpen();
    try {
      return await askRow(name, { ...values }, body === undefined ? null : jsonBody(body));
    } catch (error) {
      throw errorOf(error);
    }
  };
  return {
    ...questionsOf(ask),
    generation: generation.id,
    async *lists(options = {}) {
      requireOpen();
      try {
        const query = readFilters(asTexts({ ...options }));
        generation.facts.require(query.by);
        yield* allLists(generation, query);
      } catch (error) {
        throw errorOf(error);
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const readFilters = questionReader(LIST_FILTERS);

const HINTS: Hints = {
  'page-not-indexed': 'similar({ html }) finds what is related to a document that is not in the index',
  'cluster-not-found': 'ids of clusters are those of one generation; clusters() lists them',
  'generation-changed': 'start again without a cursor',
  'invalid-body': 'give { html }, { text } or the { url } of a page of the index',
  'malformed-json': 'give { html }, { text } or the { url } of a page of the index',
  'relation-not-in-index': 'card() says what the index holds; build it with that',
  'search-not-in-index': 'card() says what the index holds; build it with that',
  others: 'docs/asking.md lists the parameters of each question',
};

function errorOf(error: unknown): unknown {
  return errorOfProblem(error, HINTS, ({ errors = [], message, code }) =>
    code === 'page-not-indexed' || code === 'relation-not-in-index' || errors.length === 0
      ? message
      : errors.map(({ parameter, detail }) => `${parameter}: ${detail}`).join('; '),
  );
}
