import { runFiles } from '../run-files.ts';

runFiles('test/*.test.ts', 'test/bench/*.test.ts');
