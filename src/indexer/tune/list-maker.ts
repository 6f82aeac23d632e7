import { keptIn } from '../../lib/kept.ts';
import { asMessage, ThreadPool } from '../files/threads/thread-pool.ts';
import type { ListOrder, ListWork } from './list-worker.ts';
import type { ListsByRank } from './lists-of-bags.ts';

/**
 * Makes the lists of counted pages in one way after the other, each in a thread and none twice; `take` says what of
 * them is kept.
 */
export class ListMaker<Kept> {
  readonly #pool: ThreadPool<ListOrder, ListsByRank>;
  readonly #take: (lists: ListsByRank) => Kept;
  readonly #kept = new Map<string, Promise<Kept>>();

  constructor(work: ListWork, workerCount: number, take: (lists: ListsByRank) => Kept) {
    this.#pool = new ThreadPool(new URL('./list-worker', import.meta.url), workerCount, work, asMessage);
    this.#take = take;
  }

  under(order: ListOrder): Promise<Kept> {
    return keptIn(this.#kept, JSON.stringify(order), () => this.#pool.run(order).then(this.#take));
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
