import { runFiles } from '../run-files.ts';

runFiles('test/indexer/**/*.test.ts', 'packages/*/test/*.test.ts', '!test/indexer/files/thread-pool.test.ts');
