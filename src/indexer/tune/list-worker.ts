import { bagsOf, type Counted } from '../../features/counted-pages.ts';
import type { BagRecipe } from '../../features/weigh.ts';
import type { KernelName } from '../../relations/kernels.ts';
import type { ThreadTask } from '../files/threads/thread-task.ts';
import { blendedLists, type RowVectors } from './blended-lists.ts';
import { bm25Lists } from './bm25-lists.ts';
import { type ListOptions, type ListsByRank, lentListsByRank, listsOfBags } from './lists-of-bags.ts';

export interface ListWork extends ListOptions {
  readonly counted: Counted;
  /** Null where the pages have none. */
  readonly vectors: RowVectors | null;
}

/** How lists are made: of bags of this recipe, by a kernel, with a share of the vectors, or with words that neighbors lend. */
export interface ListOrder {
  readonly recipe: BagRecipe;
  readonly kernel: KernelName;
  readonly meaningShare: number;
  /** How much of a page's words its neighbors lend to it. */
  readonly lend: number;
}

/** Weighs the counted pages by one recipe after the other. */
export const task: ThreadTask<ListWork, ListOrder, ListsByRank> = ({ counted, vectors, ...options }) => ({
  answer: ({ recipe, kernel, meaningShare, lend }) => {
    const matrix = bagsOf(counted, recipe);
    if (kernel === 'bm25') return bm25Lists(matrix, counted, options);
    if (lend > 0) return lentListsByRank(matrix, options, lend);
    return vectors === null || meaningShare === 0
      ? listsOfBags(matrix, options)
      : blendedLists(matrix, options, vectors, meaningShare);
  },
  transferListOf: ({ votes, similarity }) => [votes.ids.buffer, similarity.ids.buffer] as ArrayBuffer[],
});
