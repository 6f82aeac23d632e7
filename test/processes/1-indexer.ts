import { runFiles } from '../run-files.ts';

runFiles('test/indexer/*.test.ts');
