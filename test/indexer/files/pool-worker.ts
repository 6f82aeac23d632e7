/** A thread that does what the tests ask of it. */
import { CorruptError } from '../../../src/errors.ts';
import { serveThread } from '../../../src/indexer/files/thread.ts';

export type PoolTask =
  | { readonly what: 'answer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly what: 'throw' | 'exhaust' | 'end' };

serveThread(
  (data: { readonly isBroken: boolean }) => {
    if (data.isBroken) throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'broken from the start');
    return (task: PoolTask): Uint8Array<ArrayBuffer> => {
      if (task.what === 'answer') return task.bytes.map((byte) => byte + 1);
      if (task.what === 'throw') {
        throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'a damaged record', { hint: 'build it again' });
      }
      if (task.what === 'end') process.exit(7);
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 1 << 16 }, (_, i) => `${i} ${kept.length}`));
    };
  },
  (bytes) => [bytes.buffer],
);
