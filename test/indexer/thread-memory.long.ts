import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../store/open-store.ts';
import { build, DEFAULTS, input, temporaryFolder, urlsOf } from './build.ts';
import { startBuild } from './child.ts';
import { toJsonl, toWarc, villagePages } from './pages.ts';

test('a page for which a thread runs out of memory is left out by name, from a file and from an index', async (t) => {
  const folder = temporaryFolder(t);
  const words = Array.from({ length: 1_000_000 }, (_, i) => `word${i.toString(36).replace(/\d/g, 'q')}x`);
  const [first, ...others] = villagePages(30);
  const pages = [first!, { url: 'https://huge.example/', html: `<p>${words.join(' ')}` }, ...others];
  const path = join(folder, 'pages.warc');
  writeFileSync(path, toWarc(pages));
  const maxPageBytes = 100 << 20;
  const index = join(folder, 'whole.akin');
  await build(t, { inputs: [input(path)], target: index, maxPageBytes });
  const without = join(folder, 'others.jsonl');
  writeFileSync(without, toJsonl([first!, ...others]));
  const { reader } = await build(t, { inputs: [input(without)] });
  for (const from of [path, index]) {
    const target = join(folder, 'a.akin');
    const options = { ...DEFAULTS, inputs: [input(from)], target, maxPageBytes };
    const said = await startBuild(options, '', ['--max-old-space-size=24']).ended;
    assert.match(
      said,
      /fault unreadable https:\/\/huge\.example\/ a thread ended while it read this page: .*memory/,
    );
    assert.match(said, /generation/);
    assert.deepEqual(urlsOf(openStore(t, target)), urlsOf(reader));
  }
});
