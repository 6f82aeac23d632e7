/** The OpenAPI document, made from the route schemas, and the pages that show it. */
import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { linkBase } from './base-path.ts';
import { PROBLEM_EXAMPLES } from './problems/problem-examples.ts';
import { questionReader } from './question/question.ts';

const DESCRIPTION = [
  'What is related to a web page, and why.',
  'Nothing related is an answer: 200 with an empty list and its reason. A page is never related to itself or to an alias of itself.',
  'What is asked by GET can be asked by QUERY (RFC 10008) too, with the parameters as a body of type application/x-www-form-urlencoded.',
  'Errors are RFC 9457 problems. Lists are paged by an opaque cursor that is bound to the generation of the index.',
].join('\n\n');

const KEYS =
  'A key of the service, where its operator gave out any. Scopes: read opens what a page shows, write all questions, operate all.';

/** The plugin's own policy would upgrade requests to HTTPS, which breaks the page wherever akin serves plain HTTP. */
const DOCS_CSP =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'";

/** A phone's width; and no icon, or browsers ask the root of the host for one. */
const HEAD =
  '<meta name="viewport" content="width=device-width, initial-scale=1">\n      <link rel="icon" href="data:,">';

const noParameters = questionReader({});

type Examples = readonly (readonly [from: string, to: string])[];

export function describeRoutes(app: FastifyInstance): void {
  app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'akin',
        version: productVersion(),
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

function productVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The document with where it is served from, unless that is the root of a host. */
function withServers(request: FastifyRequest, json: string): string {
  const url = linkBase(request);
  return url === '' ? json : json.replace('{', () => `{"servers":${JSON.stringify([{ url }])},`);
}

/** The page of the tool, laid out for a phone, and found under any path. */
function pageFor(request: FastifyRequest, page: string): string {
  return page
    .replace('<meta charset="UTF-8">', `<meta charset="UTF-8">\n      ${HEAD}`)
    .replaceAll('"/docs/static', `"${linkBase(request)}/docs/static`);
}

/** The document that the page shows: its examples can be tried as they are. */
function tried(request: FastifyRequest, json: string, examples: Examples): string {
  let text = json;
  for (const [from, to] of examples) text = text.replaceAll(JSON.stringify(from), () => JSON.stringify(to));
  return withServers(request, text);
}

/**
 * GET /openapi.json and GET /docs, which GET / leads to where nothing else is there; after `describeRoutes`.
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
  app.register(async (scope) => {
    scope.addHook('onSend', async (request, reply, payload) => {
      if (typeof payload !== 'string') return payload;
      const mediaType = String(reply.getHeader('content-type'));
      if (mediaType.startsWith('text/html')) return pageFor(request, payload);
      return mediaType.startsWith('application/json') ? tried(request, payload, await examples()) : payload;
    });
    scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: DOCS_CSP,
      theme: { title: 'akin', favicon: [] },
      uiConfig: {
        docExpansion: 'list',
        // The standalone layout adds a bar with the logo of the tool.
        layout: 'BaseLayout',
        displayRequestDuration: true,
        tryItOutEnabled: true,
        // The badge would send every visitor's browser to a stranger.
        validatorUrl: null,
      },
    });
  });
}
