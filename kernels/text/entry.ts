/** AssemblyScript: what is kept of each distinct token side by side, as all of it is asked for together. */

// @ts-nocheck: compiled by asc, not by tsc.

/** Stands for a token without an entry. */
export const NO_ENTRY: u32 = 0xffff_ffff;

/** Sixteen bytes of its key, its two lanes, its word and where in it that stands; the rest of a wide key is in the next one's place. */
export const ENTRY_SHIFT: usize = 5;
export const ENTRY_BYTES: usize = 32;
export const LANES: usize = 16;
export const WORD: usize = 24;
export const PLACE: usize = 28;
