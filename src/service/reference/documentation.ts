/** The OpenAPI document, made from the route schemas, and the pages that show it. */
import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PACKAGE_VERSION } from '../../store/package-version.ts';
import { linkBase } from '../http/base-path.ts';
import { type Html, html } from '../http/markup.ts';
import { PROBLEM_EXAMPLES } from '../http/problems/problem-examples.ts';
import { questionReader } from '../http/question/question.ts';
import { type ApiDocument, type Route, routesOf } from './operation.ts';
import { allRoutes, oneRoute } from './page.ts';

const DESCRIPTION = [
  'What is related to a web page, and why.',
  'Nothing related is an answer: 200 with an empty list and its reason. A page is never related to itself or to an alias of itself.',
  'What is asked by GET can be asked by QUERY (RFC 10008) too, with the parameters as a body of type application/x-www-form-urlencoded.',
  'Errors are RFC 9457 problems. Lists are paged by an opaque cursor that is bound to the generation of the index.',
  'Headers that no route names: x-request-id, by which the log knows the request; akin-sequence of a server that takes pages, the number of the last change that the answer knows; akin-lost-shards, the shards that could not be asked; ETag of a page that was put, made of its title and text; WWW-Authenticate of a 401; Retry-After (seconds) of a 429, and of a 503 where a time is known; under a limit per minute x-ratelimit-limit, x-ratelimit-remaining and x-ratelimit-reset (seconds).',
].join('\n\n');

const KEYS =
  'A key of the service, where its operator gave out any. Scopes: read opens what a page shows, write all questions, operate all.';

/** Of the page where no explorer stands around it. */
const STYLE = `body{margin:1rem auto;max-width:44rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
pre{overflow-x:auto;overflow-wrap:normal}
p{margin-block:.5rem}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const PLAIN_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

const noParameters = questionReader({});

type Examples = readonly (readonly [from: string, to: string])[];

export function describeRoutes(app: FastifyInstance): void {
  app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'akin',
        version: PACKAGE_VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: {
        examples: PROBLEM_EXAMPLES,
        securitySchemes: { key: { type: 'http', scheme: 'bearer', description: KEYS } },
      },
      tags: [
        { name: 'look-ups', description: 'Pages of the index' },
        { name: 'pages', description: 'Pages that are handed over' },
        { name: 'rules', description: 'Pages that lists begin with, and pages that are in none' },
        { name: 'clusters', description: 'Groups of pages' },
        { name: 'documents', description: 'Documents the index has never seen' },
        { name: 'time', description: 'Pages over the sweeps' },
        { name: 'export', description: 'Everything at once' },
        { name: 'operation', description: 'The index and the service themselves' },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${i}`,
    },
  });
}

/** The document with where it is served from, unless that is the root of a host. */
function withServers(request: FastifyRequest, json: string): string {
  const url = linkBase(request);
  return url === '' ? json : json.replace('{', () => `{"servers":${JSON.stringify([{ url }])},`);
}

/** The route with examples that can be tried as they are. */
function tried(route: Route, examples: Examples): Route {
  let text = JSON.stringify(route);
  for (const [from, to] of examples) text = text.replaceAll(JSON.stringify(from), () => JSON.stringify(to));
  return JSON.parse(text) as Route;
}

function plainPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>${title} - akin</title>
<style>${STYLE}</style></head>
<body><main>
${body}
</main></body>
</html>
`.text;
}

/**
 * GET /openapi.json, and GET /docs with a page for each operation; GET / leads to it where nothing else is there.
 * After `describeRoutes`.
 *
 * @param examples what the examples of requests have, each with what the page is to show in its place
 */
export function showDocumentation(app: FastifyInstance, examples: () => Promise<Examples>): void {
  // Written once: to write it takes a hundred times as long as a look-up.
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    noParameters(request.query);
    document ??= JSON.stringify(app.swagger());
    return reply
      .headers({ 'cache-control': 'public, max-age=60', 'content-type': 'application/json; charset=utf-8' })
      .send(withServers(request, document));
  });
  if (!app.hasRoute({ method: 'GET', url: '/' }))
    app.get('/', { schema: { hide: true } }, (request, reply) => reply.redirect(`${linkBase(request)}/docs`));
  let shown: ApiDocument | undefined;
  const answer = (request: FastifyRequest, reply: FastifyReply, title: string, body: Html) => {
    noParameters(request.query);
    reply.headers({
      'cache-control': 'public, max-age=60',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PLAIN_POLICY,
    });
    return reply.send((app.serviceState.documentationPage ?? plainPage)(title, body, reply));
  };
  const documentOf = () => (shown ??= app.swagger() as unknown as ApiDocument);
  app.get('/docs', { schema: { hide: true } }, (request, reply) =>
    answer(request, reply, 'HTTP API', allRoutes(documentOf(), linkBase(request))),
  );
  app.get<{ Params: { operation: string } }>(
    '/docs/:operation',
    { schema: { hide: true } },
    async (request, reply) => {
      const { operation } = request.params;
      const route = routesOf(documentOf()).find((one) => one.operation.operationId === operation);
      if (route === undefined) return reply.callNotFound();
      const origin = `${request.protocol}://${request.host}`;
      const body = oneRoute(documentOf(), tried(route, await examples()), origin, linkBase(request));
      return answer(request, reply, `${route.method} ${route.path}`, body);
    },
  );
}
