import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exitCodeOf } from '../src/cli/terminal/process-end.ts';
import { ERROR_CODES, InputError } from '../src/errors.ts';
import { PROBLEMS } from '../src/service/http/problems/problem.ts';

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
const rows = (pattern: RegExp) =>
  [...page.matchAll(pattern)].map(([, code, number]) => `${code} ${number}`).sort();

test('docs/errors.md lists every code of the command line with its exit code', () => {
  const expected = ERROR_CODES.map((code) => `${code} ${exitCodeOf(new InputError(code, 'as if'))}`).sort();
  assert.deepEqual(rows(/^\| `(AKIN_ERR_\w+)` \| (\d+) \|/gm), expected);
});

test('docs/errors.md lists every problem of the service with its status', () => {
  const expected = Object.entries(PROBLEMS).map(([code, { status }]) => `${code} ${status}`);
  assert.deepEqual(rows(/^\| `([a-z-]+)` \| (\d+) \|$/gm), expected.sort());
});
