/** Adds a row to the filters of lists, for the whole process. */
import { runFiles } from '../run-files.ts';

runFiles('test/*.test.ts', 'test/bench/*.test.ts', 'test/service/added-filter.test.ts');
