import type { FastifyInstance } from 'fastify';

/** Logs a line for each answer. A line costs more than most answers do, so this is off unless asked for. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request_id: request.id,
        client: request.ip,
        ...(request.akinKey && { key: request.akinKey.name }),
        method: request.method,
        url: request.originalUrl.slice(0, 2000),
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
