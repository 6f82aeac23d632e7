/** Additions to an index of real pages, and pages taken out of it, killed at twenty moments each. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killChanges } from './add-kill.ts';
import { build, input, temporaryFolder } from './build.ts';
import { startAdd, startForget } from './child.ts';
import { document, prose, toJsonl } from './pages.ts';

const MANUALS = fileURLToPath(new URL('../../../shared/data/manuals/demo.warc.gz', import.meta.url));
const skip = existsSync(MANUALS) ? false : `${MANUALS} is not here`;

for (const what of ['add', 'forget'] as const) {
  test(`${what} killed at twenty moments leaves the old index or the new one`, { skip }, async (t) => {
    const { target, reader } = await build(t, { inputs: [input(MANUALS)], maxPageBytes: 10 << 20 });
    const urls = Array.from(reader.pages(), ({ url }) => url).filter((_, i) => i % 50 === 0);
    const path = join(temporaryFolder(t), 'sweep.jsonl');
    const pages = urls.map((url, i) => ({ url, html: document(`again ${i}`, `<p>${prose(i, 200, i)}</p>`) }));
    writeFileSync(path, toJsonl(pages));
    const start = () => (what === 'add' ? startAdd(target, path) : startForget(target, urls[0]!));
    const publishedCount = await killChanges(target, start, 20, 31);
    t.diagnostic(`${publishedCount} of 20 were killed when the new index was in place`);
    assert.ok(publishedCount < 20);
  });
}
