import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type AppOptions, buildApp, type PageDoor } from './app.ts';
import { LogLines } from './log-lines.ts';

/** That of pino tries for good to write what is left at the end of the process, also where the reader is gone. */
const STANDARD_ERROR = new LogLines(2);

interface ServeOptions extends Omit<AppOptions, 'logger'> {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** pino's levels; default info. Logs are lines of JSON on standard error. */
  readonly logLevel?: string;
  /** Time between /readyz saying 503 and the end of listening, for load balancers to notice. Default 0. */
  readonly drainMs?: number;
  /** Time that requests under way get to finish once listening has ended. Default 10,000. */
  readonly closeTimeoutMs?: number;
}

export interface Serving {
  /** http://host:port, as reached from here. */
  readonly address: string;
  readonly generation: string;
  readonly pageCount: number;
  /** Those of them that were read; the others are known by links alone. */
  readonly fetchedPageCount: number;
  /** The one shard that is served; null where the whole index is. */
  readonly shard: { readonly number: number; readonly count: number } | null;
  /** Null where no pages are taken. */
  readonly pageDoor: PageDoor | null;
  /** Stops listening, lets requests under way finish, closes the index; calling it again changes nothing. */
  close(): Promise<void>;
}

/** Errors  those of `buildApp`, and Node's own (EADDRINUSE, EACCES) where the port cannot be had. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const logger = pino({ name: 'akin', level: options.logLevel ?? 'info' }, STANDARD_ERROR);
  const app = await buildApp({ ...options, logger });
  try {
    const address = await app.listen({ host: options.host, port: options.port });
    const { id, card, file } = app.holder.current();
    logger.info({ address, generation: id, pages: card.pageCount }, 'started');
    let closing: Promise<void> | undefined;
    return {
      address,
      generation: id,
      pageCount: card.pageCount,
      fetchedPageCount: card.fetchedPageCount,
      shard: file?.reader.shard ?? null,
      pageDoor: app.pageDoor,
      close: () => (closing ??= stop(app, options)),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Time that open connections get for one more request, and to read from the answer that it was the last one. */
const LINGER_MS = 300;
const SWEEP_MS = 50;

/** Resolves when no connection is open, after `LINGER_MS` at the latest. */
async function silence(server: Server): Promise<void> {
  const connectionCount = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  const untilMs = performance.now() + LINGER_MS;
  while (performance.now() < untilMs && (await connectionCount()) > 0) await delay(SWEEP_MS / 5);
}

async function stop(app: Awaited<ReturnType<typeof buildApp>>, options: ServeOptions): Promise<void> {
  app.serviceState.draining = true;
  app.log.info('draining');
  await delay(options.drainMs ?? 0);
  await silence(app.server);
  // A connection whose answer began before the drain becomes idle behind it.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const force = setTimeout(() => app.server.closeAllConnections(), options.closeTimeoutMs ?? 10_000);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(force);
    app.log.info('stopped');
  }
}
