import { runFiles } from '../run-files.ts';

runFiles('test/crawl/**/*.test.ts');
