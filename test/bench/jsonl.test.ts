import assert from 'node:assert/strict';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJsonl, writeJsonl } from '../../bench/corpora/jsonl.ts';
import { tokenizeOnce } from '../../bench/yardstick.ts';
import { newFolder } from '../new-folder.ts';

test('a record is one line to readers that end lines at U+2028, too', async (t) => {
  const folder = newFolder('bench-jsonl');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'pages.jsonl');
  const records = ['a\u2028b', 'c\u2029d'].map((text, i) => ({ url: `https://e.example/${i}`, html: text }));
  assert.equal(await writeJsonl(path, records), 2);
  const read = [];
  for await (const record of readJsonl(createReadStream(path))) read.push(record);
  assert.deepEqual(read, records);
  assert.equal(await tokenizeOnce(path), 2);
});
