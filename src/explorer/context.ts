import type { FastifyReply } from 'fastify';
import { linkBase } from '../service/http/base-path.ts';
import { goneFrom } from '../service/http/gone.ts';
import {
  type Given,
  pathWithQuery,
  type RouteName,
  requestTo,
  type Values,
} from '../service/routes/request.ts';
import { type App, Asker } from './ask.ts';
import type { AssetUrls } from './assets.ts';
import type { ListName } from './lists.ts';

/** What every page gets. */
export interface Context {
  /** The address of a path of this service; values that are null, undefined or '' are left out of the query. */
  readonly href: (path: string, query?: Values) => string;
  /** The address of what a route of the service answers. */
  readonly json: <Name extends RouteName>(route: Name, values?: Given<Name>) => string;
  /** Of a list that a route of the service answers the addresses as JSON, and as a table from its beginning. */
  readonly dataOf: <Name extends ListName>(route: Name, values: Given<Name>) => { json: string; csv: string };
  readonly ask: Asker;
  readonly assets: AssetUrls;
  /** Scheme, host and port, as the visitor reaches them. */
  readonly origin: string;
}

export function contextOf(app: App, assets: AssetUrls, reply: FastifyReply): Context {
  const { request } = reply;
  const base = linkBase(request);
  return {
    href: (path, query) => base + pathWithQuery(path, query),
    json: (route, values = {}) => base + requestTo(route, values).url,
    dataOf: (list, values) => ({
      json: base + requestTo(list, values).url,
      csv: base + pathWithQuery('/explore/list.csv', { list, ...(values as Values), cursor: '' }),
    }),
    ask: new Asker(app, app.basePath, request.ip, request.headers.authorization, goneFrom(reply)()),
    assets,
    origin: `${request.protocol}://${request.host}`,
  };
}
