import { runFiles } from '../run-files.ts';

runFiles('test/{store,sources,net}/**/*.test.ts');
