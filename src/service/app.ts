import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { optionFault } from '../errors.ts';
import { FeedbackLog, feedbackPathOf } from '../store/feedback-log.ts';
import { journalPathOf, PageJournal } from '../store/journal/page-journal.ts';
import { readyPathOf } from '../store/journal/ready-file.ts';
import { inShardOrder } from '../store/read/shard-files.ts';
import { exampleValues } from './answers/pages/example-values.ts';
import { answerPlainRequests } from './hot/plain-related.ts';
import { innerUrl } from './http/base-path.ts';
import { announcesNoBody, LINES_TYPE, takeBodies } from './http/body.ts';
import { ExportDoor, type ExportReaders } from './http/callers/export-door.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, type RateLimits } from './http/callers/limits.ts';
import { answerInTurn } from './http/callers/turns.ts';
import { replyToClientError, replyToConnect } from './http/hooks/client-error.ts';
import { replyWithProblem } from './http/hooks/error-reply.ts';
import { guard, requestId } from './http/hooks/guard.ts';
import { askForKeys } from './http/hooks/keys.ts';
import { measureRequests } from './http/hooks/metrics.ts';
import { logRequests } from './http/hooks/request-log.ts';
import { saySequence } from './http/hooks/sequence.ts';
import { jsonText } from './http/json-text.ts';
import { parseQueryText } from './http/question/query-text.ts';
import { replayLink } from './http/replay-link.ts';
import { type MethodsAt, refuseUnknownRoutes } from './http/route-table.ts';
import { GenerationHolder } from './index/generation-holder.ts';
import { describeIndex } from './index/index-figures.ts';
import { IndexFiles, type IndexSource } from './index/index-source.ts';
import type { PeersOptions } from './index/shard-peers.ts';
import type { Upkeep } from './index/upkeep.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { catchUp, type Know } from './live/catch-up.ts';
import { type FoldRules, Folds, type RunFold, removeRecordFiles } from './live/folds.ts';
import { Follower } from './live/follower.ts';
import { type LiveLimits, LivePages } from './live/live-pages.ts';
import { describePending } from './live/pending-figures.ts';
import { ReadyWriter } from './live/ready-pages.ts';
import { writeLines } from './live/write-lines.ts';
import { describeRoutes, showDocumentation } from './reference/documentation.ts';
import { embedRoutes } from './routes/embed.ts';
import { askKnown } from './routes/route/ask-known.ts';
import { askerOf } from './routes/route/asking.ts';
import type { LiveService, Service, ServiceState } from './routes/route/route.ts';
import { writePages } from './routes/route/write-pages.ts';
import type { FeedbackOptions } from './routes/rows/feedback.ts';
import { serveRoutes } from './routes/serve-routes.ts';
import { ROUTES } from './routes/table.ts';
import { ANSWER_SCHEMAS } from './schemas/answers/answers.ts';
import type { WrittenPagesAnswer } from './schemas/answers/live-answers.ts';
import type { ThreadLimits } from './threads/threads.ts';

/** How pages that are handed over are kept, and folded into the index. */
export interface LiveOptions extends LiveLimits, FoldRules {
  readonly run: RunFold;
  /** Whether callers hand pages over, by PUT, POST and DELETE /pages; else this process alone does. Default true. */
  readonly isOpen?: boolean;
}

/** Takes pages from this process. */
export interface PageDoor {
  /** As POST /pages does. Errors  Problem `too-many-pending`, `journal-full` where none was kept. */
  handOver(lines: AsyncIterable<string>): Promise<Omit<WrittenPagesAnswer, 'sequence'>>;
  /** Number of the last page that is kept. */
  readonly sequence: number;
  readonly isFolding: boolean;
}

export interface AppOptions {
  /** The index file, or the files of all shards of an index. */
  readonly indexPath: string | readonly string[];
  /** Instead of files, the processes that serve the shards. */
  readonly peers?: PeersOptions;
  /** Default none. */
  readonly logger?: FastifyBaseLogger;
  /** A line of the log for each request. Default false. */
  readonly logRequests?: boolean;
  /** Time between two looks for a new index file; 0 never looks. Default 1000. */
  readonly pollMs?: number;
  /** Origins that browsers may ask from; default any, since nothing here is private to a browser. */
  readonly corsOrigins?: readonly string[];
  /** Null for no limit, the default. */
  readonly rateLimits?: RateLimits | null;
  /** Takes POST /feedback into a file beside the index; null, the default, refuses it. */
  readonly feedback?: FeedbackOptions | null;
  /** Of the archive that has the captures, see `http/replay-link.ts`; '', the default, for none. */
  readonly replayUrl?: string;
  /** Who may read everything at once, from GET /export/...; default loopback. */
  readonly exports?: ExportReaders;
  /** Who may ask and change what; null, the default, lets anyone ask. */
  readonly keys?: KeyRing | null;
  /** Takes pages into a journal beside the one index file; null, the default, takes none. */
  readonly live?: LiveOptions | null;
  /** Shows the pages that another process of the machine takes into the journal beside the index file. Default false. */
  readonly follow?: boolean;
  /** What keeps the index fresh beside the server, for `/readyz`, `/metrics` and the explorer; none by default. */
  readonly upkeep?: () => Upkeep;
  /** Work in µs of the longest search of POST /similar that is exact without being asked for. Default 2,000. */
  readonly exactSearchUs?: number;
  /** Default `CONNECTION_LIMITS`. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** Default `THREAD_LIMITS`. */
  readonly documentLimits?: Partial<ThreadLimits>;
  /** Lag of the event loop above which requests are refused. Default 1000; 0 never refuses. */
  readonly maxEventLoopDelayMs?: number;
  /** Addresses of proxies whose X-Forwarded headers are believed; true believes all. Default false. */
  readonly trustProxy?: boolean | string | string[];
  /** The path that all of it stands under, such as `/akin`; see `http/base-path.ts`. Default '', the root. */
  readonly basePath?: string;
  /** Adds routes of the caller's own, which are written without the base path. */
  readonly extend?: (app: FastifyInstance) => void;
}

/** Of forms, for routes that `extend` adds. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const WORKER = new URL(`./routes/answer-thread${extname(import.meta.url)}`, import.meta.url);

declare module 'fastify' {
  interface FastifyInstance {
    readonly holder: GenerationHolder;
    readonly serviceState: ServiceState;
    /** Null where no pages are taken. */
    pageDoor: PageDoor | null;
  }
}

/**
 * The service over one index file, ready to be asked by `inject` or to listen. Closing the app closes the index.
 *
 * Errors  those of `IndexReader.open` and `replayLink`.
 */
export async function buildApp(given: AppOptions): Promise<FastifyInstance> {
  // What is kept beside an index in shards stands beside the first of them, in whichever order they are given.
  const options = { ...given, indexPath: inShardOrder([given.indexPath].flat()) };
  const { app, methodsAt } = newApp(options);
  const holder = new GenerationHolder({
    source: await sourceOf(options, app.log),
    worker: WORKER,
    isLive: options.live != null || options.follow === true,
    ...(options.documentLimits && { threadLimits: options.documentLimits }),
    ...(options.exactSearchUs !== undefined && { exactSearchUs: options.exactSearchUs }),
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
    log: app.log,
  });
  app.addHook('preClose', (done) => {
    app.serviceState.draining = true;
    done();
  });
  app.addHook('onClose', () => holder.close());
  const service = addRoutes(app, methodsAt, holder, options);
  const follower =
    options.follow === true ? new Follower(pagesPathOf(options), holder, knowOf(service), app.log) : null;
  app.addHook('onClose', () => follower?.close());
  await holder.open();
  if (options.live != null || follower !== null) requireLocal(holder);
  await app.ready();
  // Not in a hook, which may take ten seconds.
  if (options.live != null) await seeWaiting(app, () => seePages(service));
  if (follower !== null) await seeWaiting(app, () => follower.start());
  return app;
}

/** The OpenAPI 3.1 document of the service; no index is needed for it. */
export async function openApiDocument(): Promise<object> {
  const options = { indexPath: '' };
  const { app, methodsAt } = newApp(options);
  addRoutes(
    app,
    methodsAt,
    new GenerationHolder({ source: await sourceOf(options, app.log), worker: WORKER }),
    options,
  );
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

async function sourceOf({ indexPath, peers }: AppOptions, log: FastifyBaseLogger): Promise<IndexSource> {
  if (peers !== undefined) return new (await import('./index/shard-peers.ts')).ShardPeers(peers, log);
  return new IndexFiles(typeof indexPath === 'string' ? [indexPath] : indexPath);
}

function limitsOf({ connectionLimits }: AppOptions): ConnectionLimits {
  return { ...CONNECTION_LIMITS, ...connectionLimits };
}

function newApp(options: AppOptions): { app: FastifyInstance; methodsAt: MethodsAt } {
  const limits = limitsOf(options);
  const { basePath = '' } = options;
  const methodsIn = (path: string) => methodsAt(innerUrl(path, basePath));
  const app = Fastify({
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    // The framework writes two lines a request; `logRequests` writes one.
    logController: new LogController({ disableRequestLogging: true }),
    http: {
      // No stream is set up for a body that does not come: about a microsecond of each look-up.
      optimizeEmptyRequests: true,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      // Node would answer without a problem; `guard` refuses such requests.
      requireHostHeader: false,
    },
    trustProxy: options.trustProxy ?? false,
    return503OnClosing: false,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    bodyLimit: 64 * 1024,
    ...(basePath !== '' && { rewriteUrl: ({ url = '/' }: IncomingMessage) => innerUrl(url, basePath) }),
    requestIdHeader: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    routerOptions: { querystringParser: parseQueryText as (text: string) => Record<string, string> },
    // Parameters and bodies are checked by our own readers; answers are written as they are. Compilers of the framework's
    // own would be loaded at each start.
    schemaController: {
      compilersFactory: {
        buildValidator: () => (() => () => true) as never,
        buildSerializer: () => () => jsonText,
      },
    },
    frameworkErrors: replyWithProblem,
    clientErrorHandler: (error, socket) => replyToClientError(error, socket, methodsIn),
  });
  app.server.on('connect', (request, socket) => replyToConnect(request, socket, methodsIn));
  const methodsAt = refuseUnknownRoutes(app);
  return { app, methodsAt };
}

function addRoutes(
  app: FastifyInstance,
  methodsAt: MethodsAt,
  holder: GenerationHolder,
  options: AppOptions,
): Service {
  const state: ServiceState = { draining: false, upkeep: options.upkeep ?? null };
  const isOpen = options.live != null && options.live.isOpen !== false;
  app.decorate('holder', holder);
  app.decorate('serviceState', state);
  app.decorate('pageDoor', null);
  app.decorate('basePath', options.basePath ?? '');
  app.setErrorHandler(replyWithProblem);
  takeSchemasAndBodies(app, limitsOf(options));
  const { registry, observerOf } = measureRequests(app);
  describeIndex(registry, holder);
  if (options.logRequests === true) logRequests(app);
  guard(app, methodsAt, state, options);
  askForKeys(app, options.keys ?? null, isOpen);
  saySequence(app, () => holder.sequence);
  describeRoutes(app);
  const service: Service = {
    ask: askerOf(ROUTES),
    holder,
    state,
    registry,
    exportDoor: new ExportDoor(options.exports ?? 'loopback', (options.trustProxy ?? false) !== false),
    takesRules: isOpen || options.keys?.canWrite === true,
    live: null,
    feedback: null,
    silenceMs: limitsOf(options).silenceMs,
    replay: options.replayUrl ? { template: options.replayUrl, link: replayLink(options.replayUrl) } : null,
  };
  if (options.live) keepPages(app, service, options.live, pagesPathOf(options));
  if (options.feedback) {
    const { maxBytes } = options.feedback;
    const path = feedbackPathOf([options.indexPath].flat()[0] ?? '');
    app.addHook('onReady', async () => {
      service.feedback = await FeedbackLog.open(path, maxBytes);
    });
  }
  app.register(async (routes) => {
    serveRoutes(routes, service, ROUTES);
    embedRoutes(routes);
    options.extend?.(routes);
    showDocumentation(routes, async () => (await holder.current().answer(exampleValues)).value);
  });
  // What the short way leaves out: counting requests by address, which origins may ask, keys, and a line of the log.
  const isPlain =
    options.rateLimits == null &&
    options.corsOrigins === undefined &&
    options.logRequests !== true &&
    options.keys == null;
  if (isPlain) answerPlainRequests(app, service, observerOf('GET', '/related'));
  answerInTurn(app.server);
  return service;
}

/** Says of each record that is passed over, and of those that were before, that it is damaged. */
function sayDamage(journal: PageJournal, log: FastifyBaseLogger): void {
  journal.onDamage = ({ error, sequence, url }) =>
    log.error({ err: error, sequence, url }, 'a page that waits is damaged, and passed over');
  const { damagedCount: count, path } = journal;
  if (count > 0) log.error({ count, path }, 'pages that waited are damaged: hand them over again');
}

/** Errors  those of `PageJournal.open`, when the app gets ready. */
function keepPages(app: FastifyInstance, service: Service, options: LiveOptions, path: string): void {
  app.addHook('onReady', async () => {
    const journal = PageJournal.open(path);
    sayDamage(journal, app.log);
    const pages = new LivePages(journal, options);
    await removeRecordFiles(path);
    const { holder } = service;
    const folds = new Folds({ live: pages, holder, run: options.run, rules: options, log: app.log });
    const ready = new ReadyWriter(readyPathOf(path), journal.id, app.log);
    service.live = { pages, folds, ready, isOpen: options.isOpen !== false };
    app.pageDoor = doorOf(service, service.live);
  });
  describePending(service.registry, () => service.live?.pages.journal ?? null);
  app.addHook('preClose', async () => service.live?.folds.close());
  app.addHook('onClose', async () => {
    service.live?.ready.close();
    service.live?.pages.journal.close();
  });
}

function doorOf(service: Service, { pages, folds }: LiveService): PageDoor {
  const { signal } = new AbortController();
  return {
    handOver: (lines) =>
      writeLines(
        Readable.from(lines, { objectMode: true }).map((line: string) => Buffer.from(`${line}\n`)),
        (records) => writePages(service, records, () => signal, { isOwner: false }),
        Date.now,
        () => service.holder.current().facts,
        pages.batch,
      ),
    get sequence() {
      return pages.journal.lastSequence;
    },
    get isFolding() {
      return folds.running !== null;
    },
  };
}

const pagesPathOf = ({ indexPath }: AppOptions) => journalPathOf([indexPath].flat()[0]!);

/** Errors  InputError AKIN_ERR_OPTION. */
function requireLocal(holder: GenerationHolder): void {
  const { facts, live } = holder.current();
  if (facts.shard === null && live !== null) return;
  const what = live === null ? 'the shards are served by other processes' : 'this is one shard of several';
  throw optionFault(
    `${what}: pages are taken by a process that has the whole index`,
    'serve the files of all shards from one process',
  );
}

function knowOf({ ask }: Service): Know {
  const { signal } = new AbortController();
  return (generation, lines) => askKnown(ask, generation, lines, () => signal);
}

/** Puts what waits into answers; an app that cannot is closed. */
async function seeWaiting(app: FastifyInstance, see: () => Promise<void>): Promise<void> {
  try {
    await see();
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Now, and in each index that is served later. */
async function seePages(service: Service): Promise<void> {
  const { holder, live } = service;
  const { pages, ready } = live!;
  const know = knowOf(service);
  holder.complete = async (generation, serve) => {
    pages.forgetFolded(generation.facts);
    // This process has it folded in alone: no later index has what was forgotten.
    const { journal } = pages;
    await catchUp(know, journal, generation, ready.begin(generation), serve, journal.forgotten);
  };
  await holder.complete(holder.current(), () => {});
}

function takeSchemasAndBodies(app: FastifyInstance, limits: ConnectionLimits): void {
  for (const schema of ANSWER_SCHEMAS) app.addSchema(schema);
  app.removeAllContentTypeParsers();
  takeBodies(app, ['application/json', LINES_TYPE, 'text/html', 'text/plain', ...FORM_TYPES], limits);
  // A request that announces no body has a stream that never ends again: its body is empty.
  app.addHook('preParsing', ({ headers, routeOptions }, _reply, body, done) => {
    // Some clients name a type with every request: that of no body is no reason to refuse one that has none to send.
    if (routeOptions.config.accepts?.length === 0 && announcesNoBody(headers)) delete headers['content-type'];
    done(null, body.readable ? body : Readable.from([]));
  });
}
