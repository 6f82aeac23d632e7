/** What runs in every thread of the indexer: takes a task, answers its messages, and takes another one when that is closed. */
import { parentPort, type TransferListItem } from 'node:worker_threads';
import { sentError } from '../../../errors.ts';
import { startThread } from '../../../store/sqlite-thread.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { OpenTask, ThreadOrder, ThreadReply, ThreadTask } from './thread-task.ts';

/** What the process held before the threads. */
const heldBytes = startThread() as number;

type AnyTask = OpenTask<unknown, unknown>;

let task: AnyTask | null = null;
/** Orders that came while the module of the task was loaded. */
let waiting: ThreadOrder[] | null = null;

function follow(order: ThreadOrder): void {
  if (waiting !== null) waiting.push(order);
  else if (order === 'close') close();
  else if ('message' in order) answer(order.message);
  else void open(order.moduleUrl, order.data);
}

async function open(moduleUrl: string, data: unknown): Promise<void> {
  waiting = [];
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  try {
    const module = (await import(`${moduleUrl}.${extension}`)) as {
      task: ThreadTask<unknown, unknown, unknown>;
    };
    task = module.task(data);
  } catch (error) {
    // Whoever asks hears of it.
    task = {
      answer() {
        throw error;
      },
    };
  }
  const orders = waiting;
  waiting = null;
  // Outside of the promise: what ends the thread is to end it as what it is.
  setImmediate(() => orders.forEach(follow));
}

function answer(message: unknown): void {
  try {
    const result = task!.answer(message);
    reply({ result }, task!.transferListOf?.(result));
  } catch (error) {
    // The stack or an array was at its limit: what the thread holds may be half written.
    if (error instanceof RangeError) throw error;
    reply({ error: sentError(error) });
  }
}

function close(): void {
  task!.close?.();
  task = null;
  collectGarbage(heldBytes);
  reply({ result: null });
}

function reply(reply: ThreadReply, transferList: readonly TransferListItem[] = []): void {
  parentPort!.postMessage(reply, transferList);
}

parentPort!.on('message', follow);
