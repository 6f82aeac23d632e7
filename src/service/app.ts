import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
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
import { operationRoutes, type ServiceState } from './routes/operation.ts';
import { pageRoutes } from './routes/pages.ts';
import { relatedRoutes } from './routes/related.ts';
import { relatedBatchRoute } from './routes/related-batch.ts';
import { similarRoute } from './routes/similar.ts';
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

/** Nothing may load anything, but the fragments and pages of other sites may show and fetch what is here. */
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' as const },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  // Whether a domain is to be reached by TLS alone is for whoever ends TLS to say.
  strictTransportSecurity: false,
};

/**
 * The service over one index file, ready to be asked by `inject` or to listen. Closing the app closes the index.
 *
 * Errors  those of `IndexReader.open`.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const preload = options.preload ?? true;
  const app = Fastify({
    ...(options.logger === undefined ? { logger: false } : { loggerInstance: options.logger }),
    disableRequestLogging: true,
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
  const holder = new GenerationHolder({
    indexPath: options.indexPath,
    preload,
    pollMs: preload ? (options.pollMs ?? 1000) : 0,
    log: app.log,
  });
  await holder.open();
  const state: ServiceState = { draining: false };
  app.decorate('holder', holder);
  app.decorate('serviceState', state);
  app.addHook('onClose', () => holder.close());

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
    operationRoutes(routes, holder, state, registry);
    if (preload) showDocumentation(routes);
    options.extend?.(routes);
  });
  await app.ready();
  return app;
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
    reply.header('x-request-id', request.id);
    done();
  });
  app.register(helmet, SECURITY_HEADERS);
  app.register(cors, {
    origin: options.corsOrigins === undefined ? '*' : [...options.corsOrigins],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400,
  });
  refuseEncodedBodies(app);
  if (options.rateLimits != null) limitRate(app, options.rateLimits);
  const maxDelayMs = options.maxEventLoopDelayMs ?? 1000;
  if (maxDelayMs > 0) refuseUnderPressure(app, maxDelayMs);
}
