/** A thread that does what the tests ask of it. */
import { threadId } from 'node:worker_threads';
import { CorruptError } from '../../../src/errors.ts';
import type { ThreadTask } from '../../../src/indexer/files/threads/thread-task.ts';

export type PoolTask =
  | { readonly what: 'answer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly what: 'wait'; readonly gate: Int32Array<SharedArrayBuffer> }
  | { readonly what: 'name' | 'throw' | 'exhaust' | 'recurse' | 'end' };

export const task: ThreadTask<{ readonly isBroken: boolean }, PoolTask, Uint8Array<ArrayBuffer>> = (data) => {
  if (data.isBroken) throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'broken from the start');
  return {
    answer(task) {
      if (task.what === 'answer') return task.bytes.map((byte) => byte + 1);
      if (task.what === 'wait') Atomics.wait(task.gate, 0, 0);
      if (task.what === 'wait' || task.what === 'name') return Uint8Array.of(threadId);
      if (task.what === 'throw') {
        throw new CorruptError('AKIN_ERR_INDEX_CORRUPT', 'a damaged record', { hint: 'build it again' });
      }
      if (task.what === 'end') process.exit(7);
      if (task.what === 'recurse') return recurse(new Uint8Array(1));
      const kept: string[][] = [];
      for (;;) kept.push(Array.from({ length: 1 << 16 }, (_, i) => `${i} ${kept.length}`));
    },
    transferListOf: (bytes) => [bytes.buffer],
  };
};

function recurse(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return recurse(recurse(bytes));
}
