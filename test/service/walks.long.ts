/** Lists that are walked by cursors, of several pages and documents by every query. */
import { testWalks } from './walks.ts';

await testWalks(true);
