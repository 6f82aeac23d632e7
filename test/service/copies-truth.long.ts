/** Copies against the exact sets of shingles, over corpora beyond the length of any list that is stored. */
import { testCopies } from './copies-truth.ts';

testCopies({ mirrors: 40, variants: 2500, longest: 600_000, passages: 30 });
