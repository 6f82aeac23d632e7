import { type InputError, optionFault } from '../../../errors.ts';
import { kernelLayout } from '../../../join/buckets/space/join-space.ts';
import { PAGE_SPAN } from '../../../join/pairs/pair-runs.ts';
import { MAX_KERNEL_BYTES } from '../../../lib/wasm.ts';
import { MIB } from '../../options/kinds.ts';

/** The name of a stage that joins pages, for messages. */
type JoinStage = 'neighbors' | 'similar pairs' | 'copies' | 'vectors' | 'blend' | 'lend';

/**
 * Errors  InputError where a stage needs more memory than the budget; nothing that is done is lost by it. It advises
 *         `fewer` of what the stage holds memory for, where that helps.
 */
export function requireMemory(
  stage: JoinStage,
  neededBytes: number,
  budgetBytes: number,
  pageCount: number,
  fewer: '--workers' | '--neighbors' | null,
): void {
  if (neededBytes <= budgetBytes) return;
  const needed = Math.ceil(neededBytes / MIB);
  const allowed = Math.floor(budgetBytes / MIB);
  throw optionFault(
    `the ${stage} of ${pageCount} pages need ${needed} MiB of memory, but --memory allows ${allowed}`,
    `give --memory ${needed}M or more${fewer === null ? '' : `, or fewer ${fewer}`}`,
  );
}

/** Errors  InputError where the rows of so many distinct bags are beyond the memory of a kernel, whatever the budget. */
export function requireKernelRoom(stage: JoinStage, distinctCount: number, threadCount: number): void {
  const isTooLarge = kernelLayout(distinctCount, threadCount).end > MAX_KERNEL_BYTES;
  if (isTooLarge || distinctCount > PAGE_SPAN) throw tooMany(stage, distinctCount);
}

/** Errors  InputError where an exact search needs a memory beyond that of a kernel, whatever the budget. */
export function requireExactRoom(distinctCount: number, kernelBytes: number): void {
  if (kernelBytes <= MAX_KERNEL_BYTES) return;
  throw optionFault(
    `${distinctCount} different pages have too many words to find their neighbors exactly: they need ${Math.ceil(kernelBytes / MIB)} MiB in one piece, of 4,095 at most`,
    'give a --recall below 1, or divide the pages among several indexes',
  );
}

/** Errors  InputError where more pages have a vector of one name than the memory of a kernel has room for. */
export function requireVectorRoom(pageCount: number, most: number): void {
  if (pageCount <= most) return;
  throw optionFault(
    `${pageCount} pages have vectors of one name; ${most} of that length are the most`,
    'divide the pages among several indexes, or give shorter vectors',
  );
}

/** Errors  InputError where pages are too many for the keys of pairs. */
export function requirePairKeys(pageCount: number): void {
  if (pageCount > PAGE_SPAN) throw tooMany('similar pairs', pageCount);
}

function tooMany(stage: JoinStage, pageCount: number): InputError {
  return optionFault(
    `${pageCount} different pages are too many to find their ${stage}: one index holds about 30 million`,
    'divide the pages among several indexes',
  );
}
