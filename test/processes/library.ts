import { runFiles } from '../run-files.ts';

runFiles('test/library/*.test.ts');
