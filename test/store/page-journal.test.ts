import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError } from '../../src/errors.ts';
import { PageJournal } from '../../src/store/journal/page-journal.ts';
import { temporaryFolder } from '../indexer/build.ts';

test('a journal that this user may not write is refused with its name, before anyone hands over a page', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'web.akin.pages');
  PageJournal.open(path).close();
  const isRoot = process.getuid?.() === 0;
  for (const [fileMode, folderMode] of [
    [0o444, 0o777],
    [0o444, 0o555],
  ] as const) {
    chmodSync(path, fileMode);
    chmodSync(folder, folderMode);
    if (isRoot) process.seteuid!(65_534);
    try {
      assert.throws(
        () => PageJournal.open(path),
        (error: unknown) =>
          error instanceof ConfigError && error.message.startsWith(`cannot write ${path}: `),
      );
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  }
  chmodSync(folder, 0o755);
});
