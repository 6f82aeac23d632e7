import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Asset, IMMUTABLE, prepareAsset, REVALIDATED, replyAsset } from '../http/asset.ts';
import { questionReader } from '../http/question/question.ts';

/** The files of the components, each after those that it imports from. */
const PARTS = ['words', 'service', 'calm', 'lists', 'akin-related', 'akin-results', 'akin-moved'];
const FOLDER = new URL('../../embed/', import.meta.url);

const noParameters = questionReader({});

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
  // bounded: some kilobytes of our own.
  return readFileSync(new URL(`${name}.js`, FOLDER), 'utf8')
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '')
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '');
}

/** GET /embed.js: the web components; under a path that names its bytes, for integrity and caches; and what that is. */
export function embedRoutes(app: FastifyInstance): void {
  const schema = { hide: true };
  const served = (cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) => {
    noParameters(request.query);
    return replyAsset(request, reply, embedScript(), cacheControl);
  };
  app.get('/embed.js', { schema }, served(REVALIDATED));
  app.get(embedPath(), { schema }, served(IMMUTABLE));
  app.get('/embed.json', { schema }, (request, reply) => {
    noParameters(request.query);
    const { integrity } = embedScript();
    return reply.header('cache-control', REVALIDATED).send({ path: embedPath(), integrity });
  });
}
