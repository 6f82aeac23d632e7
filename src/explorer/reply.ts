/** From a request to what a page is made of, and from what it made to the answer. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingOf } from '../service/http/asset.ts';
import type { Html } from '../service/http/markup.ts';
import { tagMatches } from '../service/http/question/request-key.ts';
import type { Context } from './context.ts';
import { PAGE_POLICY } from './frame.ts';

/** What a request asks. A parameter given twice counts once. */
export class Asked {
  readonly #query: object;
  readonly #params: object;
  readonly body: FormData | null;

  constructor(query: object, params: object, body: FormData | null = null) {
    this.#query = query;
    this.#params = params;
    this.body = body;
  }

  /** A parameter of the query, or of the path; '' where it is not given. */
  text(name: string): string {
    const given =
      (this.#params as Record<string, unknown>)[name] ?? (this.#query as Record<string, unknown>)[name];
    const one: unknown = Array.isArray(given) ? given[0] : given;
    return typeof one === 'string' ? one.trim() : '';
  }

  /** A parameter of the query that is given several times. */
  all(name: string): string[] {
    const given = (this.#query as Record<string, unknown>)[name];
    return [given ?? []].flat().filter((one) => typeof one === 'string');
  }

  /** All parameters of the query. */
  values(): Readonly<Record<string, string | readonly string[]>> {
    return { ...this.#query } as Record<string, string>;
  }

  /** A parameter with few values; the first of them where it has another. */
  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T {
    return choices.find((one) => one === this.text(name)) ?? choices[0];
  }
}

/** The way to another page. */
export interface Redirect {
  readonly location: string;
}

/** A page that is not the answer to what was asked. */
export interface ErrorPage {
  readonly status: number;
  readonly html: Html;
  readonly retryAfter?: string | undefined;
}

/** JSON that no route of the service answers by GET. */
export interface Json {
  readonly json: unknown;
}

/** A table as a file. */
interface Csv {
  readonly csv: string;
  readonly name: string;
}

export type Made = Html | Redirect | ErrorPage | Json | Csv;
export type PageMaker = (context: Context, asked: Asked) => Made | Promise<Made>;

const compress = promisify(gzip);
/** A shorter page goes into one packet as it is. */
const LEAST_COMPRESSED = 1400;

export async function reply(
  request: FastifyRequest,
  response: FastifyReply,
  { ask }: Context,
  made: Made,
): Promise<FastifyReply> {
  if ('location' in made) return response.header('cache-control', 'no-store').redirect(made.location, 303);
  if ('json' in made)
    return response.header('content-type', 'application/json; charset=utf-8').send(made.json);
  if ('csv' in made) {
    response.header('content-type', 'text/csv; charset=utf-8');
    return response.header('content-disposition', `attachment; filename="${made.name}.csv"`).send(made.csv);
  }
  const [status, text] = 'status' in made ? [made.status, made.html.text] : [200, made.text];
  response.code(status).headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
    vary: 'Accept-Encoding',
  });
  if ('status' in made && made.retryAfter !== undefined) response.header('retry-after', made.retryAfter);
  if (status !== 200 || request.method === 'POST' || ask.lostShards.size > 0) {
    response.header('cache-control', 'no-store');
    return response.send(await encoded(request, response, text));
  }
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  response.headers({
    etag: tag,
    'cache-control': ask.isChanging ? 'public, no-cache' : 'public, max-age=60',
  });
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && tagMatches(condition, tag)) return response.code(304).send();
  return response.send(await encoded(request, response, text));
}

/** Compressed where the browser takes that: a page shrinks to a fifth. */
async function encoded(
  { headers }: FastifyRequest,
  response: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  if (text.length < LEAST_COMPRESSED || encodingOf(headers['accept-encoding'], ['gzip']) === null)
    return text;
  response.header('content-encoding', 'gzip');
  return compress(text);
}
