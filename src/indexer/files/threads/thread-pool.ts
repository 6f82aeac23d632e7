import type { TransferListItem } from 'node:worker_threads';
import { busyThreadCount, Thread, ThreadEndError } from './thread.ts';

/** How a task travels to a thread: as a message, and what of it is handed over, not copied. */
export interface Packed<Message> {
  readonly message: Message;
  readonly transferList: readonly TransferListItem[];
}

interface Seat<Message, Result> {
  /** Started by its first task. */
  thread: Thread<Message, Result> | null;
  taskCount: number;
}

interface Queued<Task, Result> {
  readonly task: Task;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Threads of one module that share out tasks; results come in any order.
 *
 * A thread that ends rejects the task that it ran. Another one takes its place and the tasks that waited behind it, which
 * are packed again. A task is packed when it goes to a thread.
 *
 * As many threads work as there would be without others: what other threads do cannot be shared out, so that it is to be done
 * first. One has tasks in any case.
 */
export class ThreadPool<Task, Result, Message = Task> {
  readonly #moduleUrl: URL;
  readonly #data: unknown;
  readonly #pack: (task: Task) => Packed<Message>;
  readonly #tasksAtThread: number;
  readonly #seats: Seat<Message, Result>[];
  #queue: Queued<Task, Result>[] = [];
  #isClosed = false;
  /** How many of the threads have tasks: whoever finds that more are worth their start says so. */
  usedCount: number;

  /**
   * @param moduleUrl the module of the threads, without its extension.
   * @param tasksAtThread how many tasks wait at a thread or run there: with two it need not wait for the main thread
   *   between them, but a task that could have gone to a free thread stays.
   */
  constructor(
    moduleUrl: URL,
    threadCount: number,
    data: unknown,
    pack: (task: Task) => Packed<Message>,
    tasksAtThread = 1,
  ) {
    this.#moduleUrl = moduleUrl;
    this.#data = data;
    this.#pack = pack;
    this.#tasksAtThread = tasksAtThread;
    this.usedCount = threadCount;
    this.#seats = Array.from({ length: threadCount }, () => ({ thread: null, taskCount: 0 }));
  }

  /** Errors  what the task threw; ThreadEndError where its thread ended. */
  run(task: Task): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#queue.push({ task, resolve, reject });
    this.#handOut();
    return promise;
  }

  #handOut(): void {
    while (this.#queue.length > 0) {
      const seat = this.#open().reduce((a, b) => (b.taskCount < a.taskCount ? b : a));
      if (seat.taskCount >= this.#tasksAtThread) return;
      void this.#runAt(seat, this.#queue.shift()!);
    }
  }

  /** Seats that others leave free. */
  #open(): Seat<Message, Result>[] {
    const ownCount = this.#seats.filter(({ taskCount }) => taskCount > 0).length;
    const freeCount = this.#seats.length - (busyThreadCount() - ownCount);
    return this.#seats.slice(0, Math.max(1, Math.min(this.usedCount, freeCount)));
  }

  async #runAt(seat: Seat<Message, Result>, queued: Queued<Task, Result>): Promise<void> {
    if (seat.thread === null || seat.thread.hasEnded) {
      seat.thread = new Thread(this.#moduleUrl, this.#data);
    }
    seat.taskCount++;
    try {
      const { message, transferList } = this.#pack(queued.task);
      queued.resolve(await seat.thread.ask(message, transferList));
    } catch (error) {
      if (error instanceof ThreadEndError && !error.wasRunning && !this.#isClosed)
        this.#queue.unshift(queued);
      else queued.reject(error);
    } finally {
      seat.taskCount--;
      this.#handOut();
    }
  }

  /** Ends the threads, whatever they are at. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const waiting = this.#queue;
    this.#queue = [];
    for (const { reject } of waiting) reject(new Error('the pool of threads is closed'));
    await Promise.all(this.#seats.map(({ thread }) => thread?.stop()));
  }
}

/** A task that is its own message. */
export function asMessage<Task>(task: Task): Packed<Task> {
  return { message: task, transferList: [] };
}
