/**
 * Requests that a client sends without waiting for answers (pipelining) are answered one after another, as HTTP/1.1 sends
 * their answers: else one connection has as many questions under way as fit in its packets. Those behind a client that has gone
 * are never begun.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection; a client that sends more is let go. */
const MAX_WAITING = 256;

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Has `answer` take each request; `otherwise` hands it to what took requests before. */
export function insertBefore(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void,
): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    answer(request, response, () => {
      for (const listener of listeners) listener.call(server, request, response);
    });
  });
}

/** To be called last: it stands before all that answers. */
export function answerInTurn(server: Server): void {
  const turns = new WeakMap<Socket, { last: ServerResponse; waitingCount: number }>();
  insertBefore(server, (request, response, begin) => {
    const { socket } = request;
    const turn = turns.get(socket);
    if (turn === undefined) {
      turns.set(socket, { last: response, waitingCount: 0 });
      return begin();
    }
    const before = turn.last;
    turn.last = response;
    if (before.writableEnded && turn.waitingCount === 0) return begin();
    if (++turn.waitingCount > MAX_WAITING) return socket.destroy();
    // Not at once: the requests of other connections have their turns between two of this one.
    const next = () =>
      setImmediate(() => {
        turn.waitingCount--;
        if (!socket.destroyed) begin();
      });
    if (before.closed) next();
    else before.once('close', next);
  });
}
