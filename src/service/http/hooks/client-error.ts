import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROBLEMS, Problem, problemBody } from '../problems/problem.ts';
import type { MethodsAt } from '../route-table.ts';

interface ClientError extends Error {
  readonly code?: string;
  /** What came last, from the beginning of the request where the method is at fault. */
  readonly rawPacket?: unknown;
}

/** Answers what never becomes a request: bytes that are not HTTP, a head that is too large or comes too slowly. */
export function replyToClientError(error: ClientError, socket: Socket, methodsAt: MethodsAt): void {
  const begun = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent === true) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error, methodsAt);
  const { status } = PROBLEMS[problem.code];
  const body = JSON.stringify(problemBody(problem, '/'));
  const headers = {
    ...problem.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // A client that goes on sending, or never reads, does not keep the connection.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.resume().once('close', () => clearTimeout(timer));
}

/** Answers CONNECT, which the framework never sees: as any method that is not allowed. */
export function replyToConnect({ url }: IncomingMessage, socket: Duplex, methodsAt: MethodsAt): void {
  const error = { code: 'HPE_INVALID_METHOD', rawPacket: `CONNECT ${url} HTTP/1.1\r\n` };
  replyToClientError(Object.assign(new Error('CONNECT'), error), socket as Socket, methodsAt);
}

const LINGER_MS = 1000;
const MAX_LINE_CHARS = 16_384;

function problemOf({ code, rawPacket }: ClientError, methodsAt: MethodsAt): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers-too-large', 'the request line and headers are larger than 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'the request did not come in time');
    case 'HPE_INVALID_URL':
      return new Problem(
        'malformed-request',
        'the address has bytes that must be percent-encoded: ä is %C3%A4',
      );
    case 'HPE_INVALID_METHOD': {
      const path = requestedPath(String(rawPacket));
      const methods = path === null ? [] : methodsAt(path);
      if (methods.length === 0) break;
      const allow = [...methods, 'OPTIONS'].sort().join(', ');
      return new Problem('method-not-allowed', `${path} takes ${allow}`, { headers: { allow } });
    }
  }
  return new Problem('malformed-request', 'this is not a valid HTTP request');
}

/** The path of a request line, without its query; null for what is none, and for one that is longer than a head may be. */
function requestedPath(packet: string): string | null {
  const end = packet.slice(0, MAX_LINE_CHARS).indexOf('\r\n');
  const [method, target, version, ...rest] = packet.slice(0, Math.max(end, 0)).split(' ');
  const isLine =
    rest.length === 0 && /^[!#$%&'*+.^_`|~\w-]{1,40}$/.test(method!) && /^HTTP\/1\.[01]$/.test(version ?? '');
  return isLine && target!.startsWith('/') ? target!.split('?', 1)[0]! : null;
}
