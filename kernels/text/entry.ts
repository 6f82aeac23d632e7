/** AssemblyScript: what stands for a token without an entry. */

// @ts-nocheck: compiled by asc, not by tsc.

export const NO_ENTRY: u32 = 0xffff_ffff;
