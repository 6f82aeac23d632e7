/** Bounds the heap of the whole process. */
import { runFiles } from '../run-files.ts';

runFiles('test/indexer/files/thread-pool.test.ts');
