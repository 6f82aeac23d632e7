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

interface Request {
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
}

/** `basePath` is what all addresses begin with: '' or '/akin'. */
export function contextOf(app: App, assets: AssetUrls, basePath: string, request: Request): Context {
  return {
    href: (path, query) => basePath + pathWithQuery(path, query),
    ask: new Asker(app, basePath, request.ip),
    assets,
    origin: `${request.protocol}://${request.host}`,
  };
}
