import type { KernelName } from './kernels.ts';

/** How lists by words are made where that is not the usual way, in words; null where it is. */
export function listsText({
  kernel,
  lend,
}: {
  readonly kernel: KernelName | null;
  readonly lend: number;
}): string | null {
  if (kernel === 'bm25') return 'by BM25, with the whole page as the query';
  return lend === 0 ? null : `by words, and by those that neighbors lend, with a share of ${lend}`;
}
