import type { TransferListItem } from 'node:worker_threads';
import type { SentError } from '../../../errors.ts';

/** What the threads of the indexer and those who start them say to each other. */

/** A task that is open in a thread. */
export interface OpenTask<Message, Result> {
  answer(message: Message): Result;
  /** What of a result is handed over, not copied. */
  transferListOf?(result: Result): readonly TransferListItem[];
  close?(): void;
}

/** What the module of a task exports as `task`: opens it with its data. */
export type ThreadTask<Data, Message, Result> = (data: Data) => OpenTask<Message, Result>;

export type ThreadOrder =
  | { readonly moduleUrl: string; readonly data: unknown }
  | { readonly message: unknown }
  | 'close';

/** To a message, and to `close`. */
export type ThreadReply = { readonly result: unknown } | { readonly error: SentError };
