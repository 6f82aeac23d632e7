/**
 * A client that hands pages over and sets rules: an entry of its own, so that a page that only asks need not load it.
 *
 *   const akin = connectWriter('https://search.example.org/akin', { headers: { authorization: `Bearer ${key}` } });
 *   await akin.putPage('https://example.org/tea', { title: 'Tea', text: '...', fields: { price: 8 } });
 */
import type { PageRecord } from './build.ts';
import type {
  FoldAnswer,
  ListRule,
  PendingAnswer,
  RulesAnswer,
  WrittenPageAnswer,
  WrittenPagesAnswer,
} from './generated.ts';
import { type ClientOptions, requester } from './request.ts';

export { type ClientOptions, ServiceError } from './request.ts';

/** Method and path of each operation. */
const ROUTES = {
  putPage: 'PUT pages',
  deletePage: 'DELETE pages',
  putPages: 'POST pages',
  pendingPages: 'GET pages/pending',
  foldPages: 'POST pages/fold',
  fold: 'GET folds/:id',
  rules: 'GET rules',
  putRules: 'PUT rules',
  deleteRules: 'DELETE rules',
} as const;

/** Over which state a page is written; any where neither is given. */
export interface WriteConditions {
  /** Only where the page is not there. */
  readonly isNew?: boolean;
  /** Only over the state that an earlier answer named. */
  readonly etag?: string;
}

export interface WrittenPage extends WrittenPageAnswer {
  /** Names the title and text that are there now; null for a page that is gone. */
  readonly etag: string | null;
}

/** The operations of the service that write, by their names (docs/live.md, docs/rules.md). */
export interface Writer {
  /** Hands over a page. Errors  ServiceError `precondition-failed`. */
  putPage(url: string, page: Omit<PageRecord, 'url'>, conditions?: WriteConditions): Promise<WrittenPage>;
  /** Says that a page is gone. Errors  ServiceError `page-not-indexed`, `precondition-failed`. */
  deletePage(url: string, conditions?: WriteConditions): Promise<WrittenPage>;
  /**
   * Hands over many; `status: 410` says of one that it is gone. One request: it has 60 seconds. Where too many wait for the index, `stopped` says from which page on (its
   * `line`) none was kept: send these again. Errors  ServiceError `too-many-pending`, where none was.
   */
  putPages(pages: readonly PageRecord[]): Promise<WrittenPagesAnswer>;
  /** How many pages wait for the index. */
  pendingPages(): Promise<PendingAnswer>;
  /** Has them folded into the index, and waits for that for 54 seconds at most. */
  foldPages(waitSeconds?: number): Promise<FoldAnswer>;
  /** How a fold goes. Errors  ServiceError `fold-not-found`. */
  fold(id: string): Promise<FoldAnswer>;
  /** Which pages lists begin with, and which are in none. */
  rules(): Promise<RulesAnswer>;
  /** Puts rules in place of all before. */
  putRules(rules: readonly ListRule[]): Promise<RulesAnswer>;
  /** Takes all rules back. */
  deleteRules(): Promise<RulesAnswer>;
}

/** Errors  of every method: ServiceError, and what `fetch` throws where there is no answer. */
export function connectWriter(address: string, options: ClientOptions = {}): Writer {
  const request = requester(address, options);
  const send = (
    name: keyof typeof ROUTES,
    values: Readonly<Record<string, unknown>> = {},
    init: { readonly headers?: Record<string, string>; readonly body?: string } = {},
  ) => {
    const [method, path] = ROUTES[name].split(' ') as [string, string];
    return request(path, values, { method, ...init });
  };
  const answered = async (...asked: Parameters<typeof send>): Promise<never> =>
    (await (await send(...asked)).json()) as never;
  const written = async (...asked: Parameters<typeof send>): Promise<WrittenPage> => {
    const answer = await send(...asked);
    return { ...((await answer.json()) as WrittenPageAnswer), etag: answer.headers.get('etag') };
  };
  return {
    putPage: (url, page, conditions) => {
      const { body, headers } = json(page);
      return written('putPage', { url }, { body, headers: { ...headers, ...headersOf(conditions) } });
    },
    deletePage: (url, conditions) => written('deletePage', { url }, { headers: headersOf(conditions) }),
    putPages: (pages) => {
      const body = pages.map((page) => JSON.stringify(page)).join('\n');
      return answered('putPages', {}, { body, headers: { 'content-type': 'application/x-ndjson' } });
    },
    pendingPages: () => answered('pendingPages'),
    foldPages: (seconds = 0) =>
      answered('foldPages', {}, { headers: { prefer: `wait=${Math.ceil(seconds)}` } }),
    fold: (id) => answered('fold', { id }),
    rules: () => answered('rules'),
    putRules: (rules) => answered('putRules', {}, json({ rules })),
    deleteRules: () => answered('deleteRules'),
  };
}

function json(value: unknown) {
  return { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

function headersOf({ isNew, etag }: WriteConditions = {}): Record<string, string> {
  return { ...(isNew && { 'if-none-match': '*' }), ...(etag && { 'if-match': etag }) };
}
