/** Files of quick tests with long ones among them: their own, or those of a file beside them that they run. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runLongTests } from './long-test.ts';
import { filesOf, runFiles } from './run-files.ts';

runLongTests();
runFiles(...filesOf(['{test,packages/*/test}/**/*.test.ts']).filter(hasLongTests));

function hasLongTests(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const names = Array.from(text.matchAll(/ '\.\/([\w-]+\.ts)';/g), ([, name]) => join(dirname(file), name!));
  const beside = names.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
  return [text, ...beside].some((one) => one.includes('/long-test.ts'));
}
