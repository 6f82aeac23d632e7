/** Asks the service what any caller may ask it: the explorer knows no index. */
import type { FastifyInstance } from 'fastify';
import { unwanted } from '../service/http/gone.ts';
import { Problem, type ProblemCode } from '../service/http/problems/problem.ts';
import { type AnswerOf, type Given, type RouteName, requestTo } from '../service/routes/request.ts';
import type { ProblemAnswer } from '../service/schemas/answers/problem-answers.ts';

/** The app of the service, as its option `extend` hands it over. */
export type App = FastifyInstance;

/** The service refused. */
export class Refusal extends Error {
  readonly problem: ProblemAnswer;
  /** When to ask again, as the header of that name; undefined where that would not help. */
  readonly retryAfter: string | undefined;

  constructor(problem: ProblemAnswer, retryAfter?: string) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** The same for who asks for JSON. */
  asProblem(): Problem {
    const { code, detail, errors, nearest } = this.problem;
    return new Problem(code as ProblemCode, detail, {
      ...(errors && { errors }),
      ...(nearest && { nearest }),
      ...(this.retryAfter !== undefined && { headers: { 'retry-after': this.retryAfter } }),
    });
  }
}

export class Asker {
  /** Numbers of the shards that some of the answers lack. */
  readonly lostShards = new Set<number>();
  /** Number of the last write that the latest answer knows; '' where no pages are taken. */
  sequence = '';
  /** Whether the next write may change some of the answers: what is made of them is asked for again each time. */
  isChanging = false;
  readonly #app: App;
  readonly #basePath: string;
  readonly #ip: string;
  readonly #authorization: string | undefined;
  readonly #gone: AbortSignal;

  /** Questions count against the rate limit of `ip`, have the key of the visitor, and end with the visitor. */
  constructor(app: App, basePath: string, ip: string, authorization: string | undefined, gone: AbortSignal) {
    this.#app = app;
    this.#basePath = basePath;
    this.#ip = ip;
    this.#authorization = authorization;
    this.#gone = gone;
  }

  /** What a route says. Errors  `Refusal`; a Problem once the visitor has gone. */
  async answer<Name extends RouteName>(
    name: Name,
    values: Given<Name> = {},
    payload?: object,
  ): Promise<AnswerOf<Name>> {
    if (this.#gone.aborted) throw unwanted();
    const { method, url } = requestTo(name, values);
    const asked = this.#app.inject({
      method,
      url: this.#basePath + url,
      remoteAddress: this.#ip,
      signal: this.#gone,
      ...(this.#authorization && { headers: { authorization: this.#authorization } }),
      ...(payload && { payload }),
    });
    const answer = await asked.catch((error: unknown) => {
      throw this.#gone.aborted ? unwanted() : error;
    });
    // What is posted is not for caches anyway: where pages are taken, answers say up to which.
    this.sequence = String(answer.headers['akin-sequence'] ?? '');
    if (this.sequence !== '' || String(answer.headers['cache-control']).includes('no-cache'))
      this.isChanging = true;
    const body = JSON.parse(answer.body) as unknown;
    for (const shard of (body as { lost_shards?: readonly number[] }).lost_shards ?? [])
      this.lostShards.add(shard);
    if (answer.statusCode >= 400) {
      throw new Refusal(body as ProblemAnswer, answer.headers['retry-after'] as string | undefined);
    }
    return body as AnswerOf<Name>;
  }

  /** As `answer`; null where the service refuses with one of these codes. */
  async find<Name extends RouteName>(
    codes: readonly string[],
    name: Name,
    values: Given<Name>,
  ): Promise<AnswerOf<Name> | null> {
    try {
      return await this.answer(name, values);
    } catch (error) {
      if (error instanceof Refusal && codes.includes(error.problem.code)) return null;
      throw error;
    }
  }
}
