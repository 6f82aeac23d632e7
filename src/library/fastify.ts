import './needed-node.ts';
import type { FastifyInstance } from 'fastify';
import { optionFault } from '../errors.ts';
import { addExplorer } from '../explorer/explorer.ts';
import { buildApp } from '../service/app.ts';
import { pathPrefix } from '../service/http/base-path.ts';

export interface AkinOptions {
  /** The index file, or the files of all its shards. A new file in its place is served without a restart. */
  readonly index: string | readonly string[];
  /** Adds the pages for people. Default false. */
  readonly explorer?: boolean;
  /** Time between two looks for a new index file; 0 never looks. Default 1000. */
  readonly pollMs?: number;
  /** Origins that browsers may ask from. Default any. */
  readonly corsOrigins?: readonly string[];
  /** Requests a minute and client address. Default null, no limit. */
  readonly rateLimits?: { readonly getPerMinute: number; readonly postPerMinute: number } | null;
  /** Takes POST /feedback into a file beside the index. Default null, which refuses it. */
  readonly feedback?: { readonly maxBytes: number; readonly perMinute: number } | null;
  /** Lag of the event loop above which requests are refused; 0 never refuses. Default 1000. */
  readonly maxEventLoopDelayMs?: number;
  /** Addresses of proxies whose X-Forwarded headers are believed, as in Fastify. Default false. */
  readonly trustProxy?: boolean | string | string[];
}

/**
 * Serves all routes of `akin serve` in a site's own server, under the prefix that the plugin is registered with, and logs by
 * the logger of the site:
 *
 *   await site.register(akin, { prefix: '/akin', index: 'site.akin' });
 *
 * Hooks `onRequest` of the site run first, such as those that ask who it is; then the service takes the request as it came,
 * so that bodies, headers and errors are its own.
 *
 * Errors  as `openIndex`; InputError AKIN_ERR_OPTION for a prefix with parameters.
 */
export async function akin(
  site: FastifyInstance,
  { index, explorer = false, ...options }: AkinOptions,
): Promise<void> {
  const basePath = pathPrefix(site.prefix);
  if (basePath === undefined) {
    throw optionFault(`the prefix ${site.prefix} is no plain path`, "give one such as '/akin'");
  }
  const service = await buildApp({
    ...options,
    indexPath: index,
    basePath,
    logger: site.log,
    ...(explorer && { extend: addExplorer }),
  });
  site.addHook('onClose', () => service.close());
  site.addHook('onRequest', (request, reply, done) => {
    reply.hijack();
    service.server.emit('request', request.raw, reply.raw);
    done();
  });
  const never = () => {};
  site.all('/', never);
  site.all('/*', never);
}
