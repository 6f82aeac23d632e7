import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type Asset, IMMUTABLE, prepareAsset, REVALIDATED, replyAsset } from '../http/asset.ts';
import { NoParameters } from '../schemas/parameters.ts';

/** The files of the components, each after those that it imports from. */
const PARTS = ['words', 'service', 'calm', 'lists', 'akin-related', 'akin-results'];
const FOLDER = new URL('../../embed/', import.meta.url);

let prepared: Asset | undefined;

/** The components as one module for browsers; read and compressed once a process. */
export function embedScript(): Asset {
  prepared ??= prepareAsset(Buffer.from(PARTS.map(readPart).join('')), 'text/javascript; charset=utf-8');
  return prepared;
}

/** Path of the script that never means other bytes. */
export function embedPath(): string {
  return `/embed-${embedScript().digest}.js`;
}

/** One part, without what binds it to the others, comments and indents. */
function readPart(name: string): string {
  return readFileSync(new URL(`${name}.js`, FOLDER), 'utf8')
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '')
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '');
}

/** GET /embed.js: the web components; under a path that names its bytes, for integrity and caches; and what that is. */
export function embedRoutes(app: FastifyInstance): void {
  const schema = { hide: true, querystring: NoParameters };
  app.get('/embed.js', { schema }, (request, reply) =>
    replyAsset(request, reply, embedScript(), REVALIDATED),
  );
  app.get(embedPath(), { schema }, (request, reply) => replyAsset(request, reply, embedScript(), IMMUTABLE));
  app.get('/embed.json', { schema }, (_request, reply) => {
    const { integrity } = embedScript();
    return reply.header('cache-control', REVALIDATED).send({ path: embedPath(), integrity });
  });
}
