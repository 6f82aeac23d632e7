import { setImmediate } from 'node:timers/promises';

/** Characters of one write. */
const CHUNK_CHARS = 64 * 1024;
/** Time after which others have their turn. */
const TURN_MS = 10;

/**
 * Joins small pieces of text to chunks worth writing. Between two of them the event loop goes on: reads of a file resolve at
 * once, so nothing else would let it.
 */
export async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  let sinceMs = performance.now();
  for await (const piece of pieces) {
    chunk += piece;
    const isLong = performance.now() - sinceMs >= TURN_MS;
    if (chunk.length >= CHUNK_CHARS || (isLong && chunk !== '')) {
      yield chunk;
      chunk = '';
    }
    if (!isLong) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  if (chunk !== '') yield chunk;
}
