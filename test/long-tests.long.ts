/** Files of quick tests with long ones among them. */
import { readFileSync } from 'node:fs';
import { runLongTests } from './long-test.ts';
import { filesOf, runFiles } from './run-files.ts';

runLongTests();
runFiles(
  ...filesOf(['{test,packages/*/test}/**/*.test.ts']).filter((file) =>
    readFileSync(file, 'utf8').includes('/long-test.ts'),
  ),
);
