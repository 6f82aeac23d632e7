/** The OpenAPI document, made from the route schemas, and the pages that show it. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { NoParameters } from '../schemas/parameters.ts';

/** Version of the contract, not of the program. */
const CONTRACT_VERSION = '1.0.0';

const DESCRIPTION = [
  'What is related to a web page, and why.',
  'Nothing related is an answer: 200 with an empty list and its reason. A page is never related to itself or to an alias of itself.',
  'Errors are RFC 9457 problems. Lists are paged by an opaque cursor that is bound to the generation of the index.',
].join('\n\n');

/** The plugin's own policy would upgrade requests to HTTPS, which breaks the page wherever akin serves plain HTTP. */
const DOCS_CSP =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'";

export function describeRoutes(app: FastifyInstance): void {
  app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'akin',
        version: CONTRACT_VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: [
        { name: 'look-ups', description: 'Pages of the index' },
        { name: 'clusters', description: 'Groups of pages' },
        { name: 'documents', description: 'Documents the index has never seen' },
        { name: 'time', description: 'Pages over the sweeps' },
        { name: 'operation', description: 'The index and the service themselves' },
      ],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${i}`,
    },
  });
}

/** GET /openapi.json and GET /docs, which GET / leads to where nothing else is there; after `describeRoutes`. */
export function showDocumentation(app: FastifyInstance): void {
  // Written once: to write it takes a hundred times as long as a look-up.
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true, querystring: NoParameters } }, (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply
      .headers({ 'cache-control': 'public, max-age=60', 'content-type': 'application/json; charset=utf-8' })
      .send(document);
  });
  if (!app.hasRoute({ method: 'GET', url: '/' }))
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'));
  app.register(swaggerUi, {
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
}
