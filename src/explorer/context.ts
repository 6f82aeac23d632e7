import type { FastifyRequest } from 'fastify';
import { linkBase } from '../service/http/base-path.ts';
import { type App, Asker, pathWithQuery, type Query } from './ask.ts';
import type { AssetUrls } from './assets.ts';

/** What every page gets. */
export interface Context {
  /** The address of a path of this service; values that are null, undefined or '' are left out of the query. */
  readonly href: (path: string, query?: Query) => string;
  readonly ask: Asker;
  readonly assets: AssetUrls;
  /** Scheme, host and port, as the visitor reaches them. */
  readonly origin: string;
}

export function contextOf(app: App, assets: AssetUrls, request: FastifyRequest): Context {
  const base = linkBase(request);
  return {
    href: (path, query) => base + pathWithQuery(path, query),
    ask: new Asker(app, app.basePath, request.ip),
    assets,
    origin: `${request.protocol}://${request.host}`,
  };
}
