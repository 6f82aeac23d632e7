/**
 * Turns whatever a request was refused with into an RFC 9457 problem. The only place that decides
 * HTTP statuses. A 5xx says nothing about its cause: that goes to the log.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AkinError, type ErrorCode } from '../../../errors.ts';
import { addressOf } from '../base-path.ts';
import { takenText } from '../body.ts';
import { prefersHtml, problemHtml } from '../html.ts';
import { jsonText } from '../json-text.ts';
import { PROBLEMS, Problem, type ProblemCode, problemBody, unreadable } from '../problems/problem.ts';
import { QUERY_TYPE } from '../query-method.ts';

const OF_AKIN_ERROR: Partial<Record<ErrorCode, ProblemCode>> = {
  AKIN_ERR_URL: 'invalid-parameters',
  AKIN_ERR_OPTION: 'invalid-parameters',
  AKIN_ERR_DOCUMENT: 'invalid-body',
  AKIN_ERR_PAGE_NOT_INDEXED: 'page-not-indexed',
  AKIN_ERR_CLUSTER_NOT_FOUND: 'cluster-not-found',
  AKIN_ERR_GENERATION_CHANGED: 'generation-changed',
};

const OF_FASTIFY_ERROR: Readonly<Record<string, [ProblemCode, string]>> = {
  FST_ERR_BAD_URL: ['malformed-request', 'the path is not valid percent-encoded UTF-8'],
  FST_ERR_MAX_PARAM_LENGTH: ['malformed-request', 'a part of the path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'the Content-Type is missing or not taken here'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['malformed-request', `a QUERY has a body of type ${QUERY_TYPE}`],
};

/** The problem that an error stands for; anything unexpected is `internal`. `accepts` are the types of bodies of the route. */
export function asProblem(error: unknown, accepts: readonly string[] = []): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof AkinError) {
    const code = OF_AKIN_ERROR[error.code];
    if (code !== undefined) return new Problem(code, error.message, { cause: error });
    if (error.code === 'AKIN_ERR_INDEX_CORRUPT') return unreadable(error);
    return new Problem('internal', 'the request failed; the log of the service has the reason', {
      cause: error,
    });
  }
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  const known = OF_FASTIFY_ERROR[code];
  if (known !== undefined) {
    const taken =
      known[0] === 'unsupported-media-type' && accepts.length > 0 ? `; ${takenText(accepts)}` : '';
    return new Problem(known[0], `${known[1]}${taken}`, { cause: error });
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new Problem('malformed-request', 'the request cannot be read', { cause: error });
  }
  return new Problem('internal', 'the request failed; the log of the service has the reason', {
    cause: error,
  });
}

/** Fastify's error handler. A person who looks at a page, or at an unknown path, may get HTML. */
export function replyWithProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const accepts = request.routeOptions.config?.accepts;
  const problem = asProblem(error, accepts);
  const { code, cause } = problem;
  const { status } = PROBLEMS[code];
  if (status === 415 && accepts !== undefined) {
    reply.header(request.method === 'QUERY' ? 'accept-query' : 'accept-post', accepts.join(', '));
  }
  // A refusal is no fault: `/metrics` counts it, and under a flood a line for each would only add to the load.
  // That the index cannot be read any more is one.
  const isFault = code === 'internal' || (code === 'not-ready' && cause !== undefined);
  if (isFault) request.log.error({ err: cause ?? problem }, 'request failed');
  // Headers set before the failure describe the answer that never came.
  for (const name of ['etag', 'last-modified', 'content-length']) reply.removeHeader(name);
  const body = problemBody(problem, addressOf(request).slice(0, 2000));
  const showsPage = prefersHtml(request.headers.accept);
  const isUnknownPath = showsPage && request.is404;
  const isPage = isUnknownPath || (showsPage && request.routeOptions.config?.html === true);
  const mediaType = isPage ? 'text/html' : 'application/problem+json';
  const { problemPage = problemHtml } = request.server.serviceState;
  reply
    .code(status)
    .headers({ 'content-type': `${mediaType}; charset=utf-8`, 'cache-control': 'no-store' })
    .headers(problem.headers)
    .send(isUnknownPath ? problemPage(body, request, reply) : isPage ? problemHtml(body) : jsonText(body));
}
