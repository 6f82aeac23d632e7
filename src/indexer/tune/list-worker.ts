import { bagsOf, type Counted } from '../../features/counted-pages.ts';
import type { BagRecipe } from '../../features/document-bag.ts';
import { serveThread } from '../files/thread.ts';
import { type ListOptions, listsOfBags } from './lists-of-bags.ts';

export interface ListWork extends ListOptions {
  readonly counted: Counted;
}

/** Weighs the counted pages by one recipe after the other. */
serveThread(
  ({ counted, ...options }: ListWork) =>
    (recipe: BagRecipe) =>
      listsOfBags(bagsOf(counted, recipe), options),
  ({ votes, similarity }) => [votes.ids.buffer, similarity.ids.buffer] as ArrayBuffer[],
);
