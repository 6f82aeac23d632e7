/** Where a thread keeps what it hands to the kernel: positions from the start of its scratch. */

/** Rows that are compared all with all at once. */
export const TILE_ROWS = 512;
/** Ids of one list of rowMatches. */
export const LIST_IDS = 4096;
/** Entries of one batch of bags; a bag has at most 65,535. */
export const BATCH_ENTRIES = 131_072;
export const BATCH_PAGES = 256;

const MAX_SUM = 65_535;

function layout<Part extends string>(sizes: Record<Part, number>): Record<Part | 'end', number> {
  const at: Record<string, number> = {};
  let end = 0;
  for (const [part, size] of Object.entries<number>(sizes)) {
    at[part] = end;
    end += Math.ceil(size / 64) * 64;
  }
  return { ...(at as Record<Part, number>), end };
}

export const SCRATCH = layout({
  features: 4 * BATCH_ENTRIES,
  weights: BATCH_ENTRIES,
  starts: 4 * (BATCH_PAGES + 1),
  functions: 128 * 8,
  elements: 4 * (MAX_SUM + 4) + 64,
  signed: 64 * BATCH_PAGES,
  list: 4 * LIST_IDS,
  tile: 129 * TILE_ROWS + 64,
  out: 4 * ((TILE_ROWS * TILE_ROWS) / 2 + 16),
});
export const SCRATCH_BYTES = SCRATCH.end;
