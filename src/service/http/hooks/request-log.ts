import type { FastifyInstance } from 'fastify';

const MAX_URL_CHARS = 2000;

/** An address in which somebody wrote a key, where none belongs. */
function withoutKeys(url: string): string {
  return url
    .replace(/\bakin_[\w-]*/g, 'akin_...')
    .replace(/([?&][\w.-]*(?:key|token|secret|authorization)=)[^&]*/gi, '$1...'); // bounded: MAX_URL_CHARS
}

/** Logs a line for each answer. A line costs more than most answers do, so this is off unless asked for. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request_id: request.id,
        client: request.ip,
        ...(request.akinKey && { key: request.akinKey.name }),
        method: request.method,
        url: withoutKeys(request.originalUrl.slice(0, MAX_URL_CHARS)),
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
        // Node leaves the answer open where the client went away first.
        complete: reply.raw.writableFinished,
      },
      'request',
    );
    done();
  });
}
