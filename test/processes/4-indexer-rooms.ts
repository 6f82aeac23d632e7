import { runFiles } from '../run-files.ts';

runFiles('test/indexer/*/**/*.test.ts', 'test/stages/*.test.ts', '!test/indexer/files/thread-pool.test.ts');
