import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { httpResponse, warcRecord } from '../sources/archive-bytes.ts';
import { build, temporaryFolder } from './build.ts';

test('answers of one URL are taken in the order of the archive, those without a page too', async (t) => {
  const path = join(temporaryFolder(t), 'crawl.warc');
  const at = (day: number) => ({ 'WARC-Date': `2024-01-0${day}T00:00:00Z` });
  const url = 'https://example.org/moved';
  const to = 'https://example.org/new';
  const records = [
    warcRecord('response', to, httpResponse('<title>New</title><p>rose keel'), at(1)),
    warcRecord('response', url, httpResponse('<title>Old</title><p>rose keel'), at(1)),
    warcRecord('response', url, httpResponse('', {}, '404 Not Found'), at(2)),
    warcRecord('response', url, httpResponse('', { Location: to }, '301 Moved'), at(2)),
  ];
  writeFileSync(path, Buffer.concat(records));
  const { reader } = await build(t, { inputs: [{ path, baseUrl: null, format: null }] });
  // The page is gone first, and a redirect of the same time takes the place of that.
  assert.deepEqual([...reader.aliases(reader.findPage(to))], [{ url, kind: 'redirect' }]);
});
