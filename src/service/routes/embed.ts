import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Asset, IMMUTABLE, prepareAsset, REVALIDATED, replyAsset } from '../http/asset.ts';
import { linkBase } from '../http/base-path.ts';
import { questionReader } from '../http/question/question.ts';

/** The scripts, and the files of each, every one after those that it imports from. */
const SCRIPTS = {
  embed: [
    'languages',
    'elements',
    'words',
    'asking',
    'service',
    'calm',
    'lists',
    'akin-related',
    'akin-results',
    'akin-moved',
  ],
  'akin-search': ['asking', 'elements', 'search-service', 'search-words', 'search-view', 'akin-search'],
} as const;
type ScriptName = keyof typeof SCRIPTS;
const FOLDER = new URL('../../embed/', import.meta.url);

const noParameters = questionReader({});

const prepared = new Map<ScriptName, Asset>();

/** Some components as one module for browsers; read and compressed once a process. */
export function embedScript(name: ScriptName = 'embed'): Asset {
  const known = prepared.get(name);
  if (known !== undefined) return known;
  const bytes = Buffer.from(SCRIPTS[name].map(readPart).join(''));
  const asset = prepareAsset(bytes, 'text/javascript; charset=utf-8');
  prepared.set(name, asset);
  return asset;
}

/** Path of the script that never means other bytes. */
export function embedPath(name: ScriptName = 'embed'): string {
  return `/${name}-${embedScript(name).digest}.js`;
}

/** One part, without what binds it to the others, comments, and blanks that neither scripts nor style sheets need. */
function readPart(name: string): string {
  // bounded: some kilobytes of our own.
  return readFileSync(new URL(`${name}.js`, FOLDER), 'utf8')
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '')
    .replace(/\/\*\*.*?\*\//gs, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/(?<=replaceSync\(`)[^`]+/g, (style) => style.replace(/\s*([{};:,])\s+/g, '$1'))
    .replace(/^\s+/gm, '')
    .replace(/(?<=[{(,;])\n|\n(?=[?.)}:&|])/g, '');
}

/** GET /embed.js and /akin-search.js: the web components; under a path that names its bytes, for integrity and caches; and what that is. */
export function embedRoutes(app: FastifyInstance): void {
  // A page cannot send a key with its scripts.
  const open = { schema: { hide: true }, config: { scope: 'anyone' as const } };
  for (const name of Object.keys(SCRIPTS) as ScriptName[]) {
    // Whatever is asked: systems that make pages add `?ver=` to the addresses of scripts.
    const served = (cacheControl: string) => (request: FastifyRequest, reply: FastifyReply) =>
      replyAsset(request, reply, embedScript(name), cacheControl);
    app.get(`/${name}.js`, open, served(REVALIDATED));
    app.get(embedPath(name), open, served(IMMUTABLE));
    app.get(`/${name}.json`, open, (request, reply) => {
      noParameters(request.query);
      const { integrity } = embedScript(name);
      return reply
        .header('cache-control', REVALIDATED)
        .send({ path: linkBase(request) + embedPath(name), integrity });
    });
  }
}
