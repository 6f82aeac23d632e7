import { bagsOf, type Counted } from '../../features/counted-pages.ts';
import type { BagRecipe } from '../../features/document-bag.ts';
import type { ThreadTask } from '../files/threads/thread-task.ts';
import { type ListOptions, type ListsByRank, listsOfBags } from './lists-of-bags.ts';

export interface ListWork extends ListOptions {
  readonly counted: Counted;
}

/** Weighs the counted pages by one recipe after the other. */
export const task: ThreadTask<ListWork, BagRecipe, ListsByRank> = ({ counted, ...options }) => ({
  answer: (recipe) => listsOfBags(bagsOf(counted, recipe), options),
  transferListOf: ({ votes, similarity }) => [votes.ids.buffer, similarity.ids.buffer] as ArrayBuffer[],
});
