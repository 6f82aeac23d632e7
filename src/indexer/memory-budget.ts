import { InputError } from '../errors.ts';

const MIB = 2 ** 20;

/**
 * Errors  InputError where a stage needs more memory than the budget; nothing that is done is lost by it. It advises
 *         `fewer` of what the stage holds memory for.
 */
export function requireMemory(
  neededBytes: number,
  budgetBytes: number,
  pageCount: number,
  fewer: '--workers' | '--neighbours',
): void {
  if (neededBytes <= budgetBytes) return;
  const needed = Math.ceil(neededBytes / MIB);
  const allowed = Math.floor(budgetBytes / MIB);
  throw new InputError(
    'AKIN_ERR_OPTION',
    `the neighbours of ${pageCount} pages need ${needed} MiB of memory, --memory allows ${allowed}`,
    { hint: `give --memory ${needed}M or more, or fewer ${fewer}` },
  );
}
