/**
 * What can be exported, as rows of a table: each is made page by page, by the functions that answer over HTTP.
 *
 *   pages of the index, in the order of their URLs ─> those that are asked for ─> rows of each
 */
import type { Static, TObject } from 'typebox';
import { NO_SUBJECT, pageFilter } from '../answers/lists/selection/page-filter.ts';
import type { IndexFacts } from '../reads/facts.ts';
import type { AcceptAll, Head, Reads } from '../reads/reads.ts';
import type { Asked, Parameters } from '../schemas/parameter.ts';
import { LIST_FILTERS } from '../schemas/parameters/list-filters.ts';
import { type Narrowing, PLAIN_LIST } from '../schemas/parameters/list-parameters.ts';
import { ONE_FIELD, ONE_LANGUAGE } from '../schemas/parameters/parameters.ts';
import type { Row } from './row-format.ts';

interface ExportedPage extends Head {
  readonly id: number;
}

/** Filters that judge a page by itself. */
type PageQuestion = Partial<Pick<Narrowing, 'fetched' | 'lang' | 'published_after' | 'field' | 'within'>>;

interface ExportKind<Query extends Parameters, Of extends TObject> {
  /** What one row is, for help and documentation. */
  readonly describes: string;
  readonly query: Query;
  /** Its members are the columns, in their order. */
  readonly row: Of;
  /** Which of them a table has; all where it is not given. */
  readonly hasColumn?: (name: string, query: Asked<Query>, facts: IndexFacts) => boolean;
  /** What an index must have for it. Errors  Problem `relation-not-in-index`, `invalid-parameters`. */
  readonly requires: (facts: IndexFacts, query: Asked<Query>) => void;
  /** Which pages have rows. */
  readonly pages: (query: Asked<Query>) => PageQuestion;
  readonly rowsOf: (reads: Reads, page: ExportedPage, query: Asked<Query>) => Promise<readonly Static<Of>[]>;
}

/** A kind of whatever parameters. */
export interface Export {
  readonly describes: string;
  readonly query: Parameters;
  readonly row: TObject;
  readonly columns: (query: object, facts: IndexFacts) => readonly string[];
  readonly requires: (facts: IndexFacts, query: object) => void;
  readonly pages: (query: object) => PageQuestion;
  readonly rowsOf: (reads: Reads, page: ExportedPage, query: object) => Promise<readonly Row[]>;
}

/** Lets a kind be checked by the types of its own parameters. */
export function exportKind<Query extends Parameters, Of extends TObject>(
  kind: ExportKind<Query, Of>,
): Export & { query: Query } {
  const { row, hasColumn = () => true } = kind;
  const columns = (query: Asked<Query>, facts: IndexFacts) =>
    Object.keys(row.properties).filter((name) => hasColumn(name, query, facts));
  return { ...kind, columns } as unknown as Export & { query: Query };
}

/** As in lists, but pages that are known by links alone are left out unless they are asked for. */
export const FETCHED = {
  ...LIST_FILTERS.fetched,
  plain: 'only' as const,
  schema: {
    ...LIST_FILTERS.fetched.schema,
    default: 'only' as const,
    description: 'include: also pages that are known by links alone, whose text was never read.',
  },
  flag: ['<WHICH>', 'only (default), or include: also pages known by links alone'] as const,
};

/** Of exports that take pages one by one. */
export const PAGE_FILTERS = {
  fetched: FETCHED,
  lang: {
    ...ONE_LANGUAGE,
    schema: {
      ...ONE_LANGUAGE.schema,
      description:
        'Only pages in this language, and those that do not say in which they are. Only its primary subtag counts: en-US is asked as en.',
    },
  },
  published_after: LIST_FILTERS.published_after,
  field: ONE_FIELD,
};

/** Pages whose names are read together. */
const PIECE = 64;

/** Rules are for lists of related pages. */
const NO_RULES = Promise.resolve(null);

/** Which pages pass the filters that judge a page by itself; null where all do. */
export async function acceptPages(reads: Reads, question: PageQuestion): Promise<AcceptAll | null> {
  return (await pageFilter(reads, NO_SUBJECT, { ...PLAIN_LIST, ...question }, NO_RULES)).accept;
}

/**
 * The rows of an export, an array a page, empty where a page has none. `onPages` hears after each piece how many pages were
 * looked at. Ends where a shard is missed: what lacks one is no export, see `sendStream`.
 *
 * Memory  what one page needs; of several servers that of `readAhead` pages.
 */
export async function* exportRows(
  reads: Reads,
  kind: Export,
  query: object,
  onPages: (done: number) => void = () => {},
): AsyncGenerator<readonly Row[]> {
  const accept = await acceptPages(reads, kind.pages(query));
  const { ownPageCount } = reads.facts;
  for (let first = 0; first < ownPageCount; first += PIECE) {
    const all = Array.from({ length: Math.min(PIECE, ownPageCount - first) }, (_, i) => first + i);
    const passes = await accept?.(all);
    const taken = all.filter((_, i) => passes?.[i] !== false);
    const heads = await reads.heads(taken);
    const pages = heads.map(({ url, title, siteId, lang, fetched }, i) => {
      return { id: taken[i]!, url, title, siteId, lang, fetched };
    });
    for (let at = 0; at < pages.length; at += reads.readAhead) {
      const some = pages.slice(at, at + reads.readAhead);
      const rows = await Promise.all(some.map((page) => kind.rowsOf(reads, page, query)));
      if (reads.lost.length > 0) return;
      yield* rows;
    }
    onPages(first + all.length);
    if (pages.length === 0) yield [];
  }
}
