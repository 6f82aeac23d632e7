import type { Socket } from 'node:net';
import { PROBLEMS, problemBody } from './error-reply.ts';
import { Problem } from './problem.ts';

/** Answers what is not HTTP enough to become a request: such bytes never reach a route. */
export function clientErrorReply(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers-too-large', 'the request line and headers are larger than 16 KiB')
      : new Problem('malformed-request', 'this is not a valid HTTP request');
  const { status } = PROBLEMS[problem.code];
  const body = JSON.stringify(problemBody(problem, '/'));
  const head = `HTTP/1.1 ${status} ${status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'}`;
  const headers = `content-type: application/problem+json; charset=utf-8\r\ncache-control: no-store\r\nconnection: close`;
  socket.end(`${head}\r\n${headers}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
