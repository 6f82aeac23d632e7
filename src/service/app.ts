import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { TObject } from 'typebox';
import { clientErrorReply } from './client-error.ts';
import { documentRoutes, showDocumentation } from './documentation.ts';
import { replyWithProblem } from './error-reply.ts';
import { GenerationHolder } from './generation-holder.ts';
import { limitRate, type RateLimits, refuseEncodedBodies, refuseUnderPressure } from './limits.ts';
import { measureRequests } from './metrics.ts';
import { parameterReader } from './parameter-reader.ts';
import { parseQueryText } from './query-text.ts';
import { refuseUnknownRoutes } from './route-table.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { compareRoute } from './routes/compare.ts';
import { groupRoute } from './routes/group.ts';
import { operationRoutes, type ServiceState } from './routes/operation.ts';
import { pageRoutes } from './routes/pages.ts';
import { relatedRoutes } from './routes/related.ts';
import { relatedBatchRoute } from './routes/related-batch.ts';
import { similarRoute } from './routes/similar.ts';
import { timeRoutes } from './routes/time.ts';
import { ANSWER_SCHEMAS } from './schemas/answers.ts';

export interface AppOptions {
  readonly indexPath: string;
  /**
   * Reads into memory what look-ups need, watches the file, measures and documents. False, for a single
   * question to an index, answers the same straight from the file and leaves all of that out. Default true.
   */
  readonly preload?: boolean;
  /** Default none. */
  readonly logger?: FastifyBaseLogger;
  /** Time between two looks for a new index file; 0 never looks. Default 1000. */
  readonly pollMs?: number;
  /** Origins that browsers may ask from; default any, since nothing here is private to a browser. */
  readonly corsOrigins?: readonly string[];
  /** Null for no limit, the default. */
  readonly rateLimits?: RateLimits | null;
  /** Pages of the largest index that POST /similar searches exactly without being asked to. Default 100,000. */
  readonly exactSearchPages?: number;
  /** Lag of the event loop above which requests are refused. Default 1000; 0 never refuses. */
  readonly maxEventLoopDelayMs?: number;
  /** Addresses of proxies whose X-Forwarded headers are believed; true believes all. Default false. */
  readonly trustProxy?: boolean | string | string[];
  /** Adds routes of the caller's own. */
  readonly extend?: (app: FastifyInstance) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly holder: GenerationHolder;
    readonly serviceState: ServiceState;
  }
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/**
 * What helmet would say of an API, written once: helmet puts its policy together anew for every request,
 * which took longer than the answer. Nothing here may load anything (/docs brings a policy of its own);
 * other sites may fetch what is here. Whether a domain is to be reached by TLS alone is for whoever ends TLS.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * The service over one index file, ready to be asked by `inject` or to listen. Closing the app closes the index.
 *
 * Errors  those of `IndexReader.open`.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const preload = options.preload ?? true;
  const app = newApp(options);
  const holder = new GenerationHolder({
    indexPath: options.indexPath,
    preload,
    ...(options.exactSearchPages !== undefined && { exactSearchPages: options.exactSearchPages }),
    pollMs: preload ? (options.pollMs ?? 1000) : 0,
    log: app.log,
  });
  app.addHook('onClose', () => holder.close());
  addRoutes(app, holder, preload, options);
  await holder.open();
  await app.ready();
  return app;
}

/** The OpenAPI 3.1 document of the service; no index is needed for it. */
export async function openApiDocument(): Promise<object> {
  const options = { indexPath: '' };
  const app = newApp(options);
  addRoutes(app, new GenerationHolder(options), true, options);
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}

function newApp(options: AppOptions): FastifyInstance {
  return Fastify({
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    // A line a request costs more than the answer; the metrics count them all, the log tells of failures.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy ?? false,
    return503OnClosing: false,
    bodyLimit: 64 * 1024,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    routerOptions: { querystringParser: parseQueryText as (text: string) => Record<string, string> },
    frameworkErrors: replyWithProblem,
    clientErrorHandler: clientErrorReply,
  });
}

function addRoutes(
  app: FastifyInstance,
  holder: GenerationHolder,
  preload: boolean,
  options: AppOptions,
): void {
  const state: ServiceState = { draining: false };
  app.decorate('holder', holder);
  app.decorate('serviceState', state);
  app.setErrorHandler(replyWithProblem);
  refuseUnknownRoutes(app);
  checkBySchema(app);
  const registry = preload ? measureRequests(app, holder) : null;
  if (preload) guard(app, options);
  if (preload) documentRoutes(app);
  app.register(async (routes) => {
    relatedRoutes(routes, holder);
    relatedBatchRoute(routes, holder);
    clusterRoutes(routes, holder);
    pageRoutes(routes, holder);
    routes.register(async (scope) => similarRoute(scope, holder));
    compareRoute(routes, holder);
    groupRoute(routes, holder);
    timeRoutes(routes, holder);
    operationRoutes(routes, holder, state, registry);
    if (preload) showDocumentation(routes);
    options.extend?.(routes);
  });
}

/** Parameters are checked by our own reader, bodies by their routes; answers are written as they are. */
function checkBySchema(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'querystring') return () => true;
    const read = parameterReader(schema as TObject, 'query');
    return (input: unknown) => {
      try {
        return { value: read(input) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  });
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  for (const schema of ANSWER_SCHEMAS) app.addSchema(schema);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  );
}

function guard(app: FastifyInstance, options: AppOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
  app.register(cors, {
    origin: options.corsOrigins === undefined ? '*' : [...options.corsOrigins],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400,
    // An OPTIONS that is no preflight gets the answer of any other method that is not allowed.
    strictPreflight: false,
  });
  refuseEncodedBodies(app);
  if (options.rateLimits != null) limitRate(app, options.rateLimits);
  const maxDelayMs = options.maxEventLoopDelayMs ?? 1000;
  if (maxDelayMs > 0) refuseUnderPressure(app, maxDelayMs);
}
