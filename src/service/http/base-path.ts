/**
 * The path that the service stands under, such as `/akin`: '' at the root of a host.
 *
 *   https://example.org/tools/akin/related?url=...
 *                      |----||---|
 *                      a     b
 *
 * b   `basePath`: the proxy passes it on, the service takes it off before it routes. What is not under it is not there.
 * a   What the proxy takes off itself and says in X-Forwarded-Prefix; believed of trusted proxies alone.
 *
 * Links that the service writes begin with both.
 */
import type { FastifyRequest } from 'fastify';

const MAX_PREFIX_CHARS = 200;
/** No route: a path never has it, as clients take it off. */
const OUTSIDE = '/..';

declare module 'fastify' {
  interface FastifyInstance {
    /** '' or `/akin`, without a slash at its end. */
    readonly basePath: string;
  }
}

/** Of the absolute form of a target, as who takes the service for a proxy writes it: RFC 9112, section 3.2.2. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path and query of a request as routes know them; one that no route has for what is not under `basePath`. */
export function innerUrl(url: string, basePath: string): string {
  if (basePath === '') return url;
  const path = url.replace(ORIGIN, '');
  const inner = path.startsWith(basePath) ? path.slice(basePath.length) : null;
  if (inner === '' || inner?.startsWith('?')) return `/${inner}`;
  return inner?.startsWith('/') ? inner : OUTSIDE;
}

/** What the address of a path begins with for whoever asks: '' at the root of a host. */
export function linkBase({ server, headers, ips }: FastifyRequest): string {
  return forwardedPrefix(headers['x-forwarded-prefix'], ips) + server.basePath;
}

/** Path and query of a request as whoever asks knows them. */
export function addressOf(request: FastifyRequest): string {
  return forwardedPrefix(request.headers['x-forwarded-prefix'], request.ips) + request.originalUrl;
}

/** Segments of letters, digits and `-._~`, none of them `.` or `..`, without slashes behind them; undefined for any other text. */
export function pathPrefix(text: string): string | undefined {
  return /^((?:\/[\w~-][\w.~-]*)*)\/*$/.exec(text)?.[1];
}

/** Only a trusted proxy adds a second address: that for which it asks. */
function forwardedPrefix(given: string | string[] | undefined, ips: readonly string[] | undefined): string {
  if (typeof given !== 'string' || given.length > MAX_PREFIX_CHARS || (ips?.length ?? 0) < 2) return '';
  return pathPrefix(given) ?? '';
}
