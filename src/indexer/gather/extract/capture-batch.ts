import type { Capture } from '../../../sources/record/record.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import type { CaptureBatch, ExtractCapture } from './extract-task.ts';

const NO_BYTES = new Uint8Array(0);

/** Captures as a source gives them; they are kept until their records are there. */
export interface ReadBatch {
  readonly what: 'captures';
  readonly captures: readonly Capture[];
  readonly firstSequence: number;
  readonly sweepId: number;
}

/** The same as a message: one buffer holds all bodies of bytes. */
export function packBatch({ captures: read, firstSequence, sweepId }: ReadBatch): CaptureBatch {
  const bytesOf = (body: Capture['body']) => (typeof body === 'string' ? NO_BYTES : body);
  const bodies = new Uint8Array(read.reduce((sum, { body }) => sum + bytesOf(body).length, 0));
  let at = 0;
  const captures = read.map((capture, i): ExtractCapture => {
    const { kind: _kind, unknownMembers: _names, body, ...head } = capture;
    const start = at;
    bodies.set(bytesOf(body), start);
    at += bytesOf(body).length;
    return {
      ...head,
      sequence: firstSequence + i,
      sweepId,
      fetchedAtMs: capture.fetchedAtMs ?? UNDATED_MS,
      text: typeof body === 'string' ? body : null,
      start,
      end: at,
    };
  });
  return { what: 'captures', captures, bodies };
}
