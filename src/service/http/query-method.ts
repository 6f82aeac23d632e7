/**
 * The method QUERY (RFC 10008) wherever GET is served: what may stand behind the `?` is sent as the body, in the form that
 * browsers give it. It is as safe as GET, and has room for what a request line has not: long lists of URLs, for example.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { PostedBody } from './body.ts';
import { Problem } from './problems/problem.ts';
import { parseQueryText } from './question/query-text.ts';

export const QUERY_TYPE = 'application/x-www-form-urlencoded';

/** Parameters of the body beside those of the address. Errors  Problem `malformed-request` where it is not UTF-8. */
export function queryOf({ body, originalUrl }: FastifyRequest): object {
  const { bytes } = body as PostedBody;
  if (!isUtf8(bytes)) throw new Problem('malformed-request', 'the body is not valid UTF-8');
  const [, ...address] = originalUrl.split('?');
  return parseQueryText([address.join('?'), new TextDecoder().decode(bytes)].join('&'));
}
