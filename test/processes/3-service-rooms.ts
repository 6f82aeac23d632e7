import { runFiles } from '../run-files.ts';

runFiles('test/service/*/**/*.test.ts', 'test/library/*.test.ts');
