/** Lists that are walked by cursors: of two kinds one each, by two queries; walks.long.ts walks more. */
import { testWalks } from './walks.ts';

await testWalks(false);
