/** A client that sends whatever bytes it likes over a socket of its own. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends pieces, with a pause before each but the first, and resolves with the answer when the server ends it. */
export async function exchange(
  port: number,
  pieces: Iterable<string | Buffer>,
  pauseMs = 0,
): Promise<RawAnswer | null> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst && pauseMs > 0) await sleep(pauseMs);
    isFirst = false;
    if (socket.destroyed || text !== '') break;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
  }
  await closed;
  return parseAnswer(text);
}

/** The last answer of what came; null where nothing came. */
export function parseAnswer(text: string): RawAnswer | null {
  if (text === '') return null;
  const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
  const [head, ...body] = last.split('\r\n\r\n');
  const [line, ...fields] = head!.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(line!.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

export type { Socket };
