/** Asks the service what any caller may ask it: the explorer knows no index. */
import type { FastifyInstance } from 'fastify';
import type { ProblemAnswer } from '../service/schemas/problem-answers.ts';

/** The app of the service, as its option `extend` hands it over. */
export type App = FastifyInstance;

/** Values that are null, undefined or '' are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function pathWithQuery(path: string, query: Query = {}): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') text.append(name, String(value));
  }
  return text.size === 0 ? path : `${path}?${text}`;
}

/** The service refused. */
export class Refusal extends Error {
  readonly problem: ProblemAnswer;

  constructor(problem: ProblemAnswer) {
    super(problem.detail);
    this.problem = problem;
  }
}

export class Asker {
  /** Numbers of the shards that some of the answers lack. */
  readonly lostShards = new Set<number>();
  readonly #app: App;
  readonly #basePath: string;
  readonly #ip: string;

  /** Questions count against the rate limit of `ip`. */
  constructor(app: App, basePath: string, ip: string) {
    this.#app = app;
    this.#basePath = basePath;
    this.#ip = ip;
  }

  /** Errors  `Refusal`. */
  get<Answer>(path: string, query?: Query): Promise<Answer> {
    return this.#send<Answer>({ method: 'GET', url: pathWithQuery(path, query) });
  }

  /** As `get`; null where the service refuses with one of these codes. */
  async find<Answer>(codes: readonly string[], path: string, query?: Query): Promise<Answer | null> {
    try {
      return await this.get<Answer>(path, query);
    } catch (error) {
      if (error instanceof Refusal && codes.includes(error.problem.code)) return null;
      throw error;
    }
  }

  /** Errors  `Refusal`. */
  post<Answer>(path: string, query: Query, payload: object): Promise<Answer> {
    return this.#send<Answer>({ method: 'POST', url: pathWithQuery(path, query), payload });
  }

  async #send<Answer>(request: { method: 'GET' | 'POST'; url: string; payload?: object }): Promise<Answer> {
    const url = this.#basePath + request.url;
    const answer = await this.#app.inject({ ...request, url, remoteAddress: this.#ip });
    const body = JSON.parse(answer.body) as unknown;
    for (const shard of (body as { lost_shards?: readonly number[] }).lost_shards ?? [])
      this.lostShards.add(shard);
    if (answer.statusCode >= 400) throw new Refusal(body as ProblemAnswer);
    return body as Answer;
  }
}
