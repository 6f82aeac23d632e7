import { runFiles } from '../run-files.ts';

runFiles('test/cli/**/*.test.ts');
