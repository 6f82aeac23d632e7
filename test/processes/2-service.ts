import { runFiles } from '../run-files.ts';

runFiles('test/service/*.test.ts', '!test/service/added-filter.test.ts');
