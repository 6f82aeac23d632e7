/** Tests in files of quick ones that run with the long checks alone (test/long-tests.long.ts). */
import { test } from 'node:test';

const VARIABLE = 'AKIN_LONG_TESTS';

/** As `test`; none of `npm test`, where others guard what it proves, or most of it. */
export const longTest = ((...given: Parameters<typeof test>) =>
  process.env[VARIABLE] === undefined ? undefined : test(...given)) as typeof test;

/** From here on the files that are imported run theirs. */
export function runLongTests(): void {
  process.env[VARIABLE] = '1';
}
