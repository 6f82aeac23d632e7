/** Lists that are walked by cursors: of each kind one, by two queries; walks.long.ts walks more. */
import { testWalks } from './walks.ts';

testWalks(false);
