/** Every example of docs/library.md, run in the order of the page. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { buildApp } from '../../src/service/app.ts';
import { newFolder } from '../new-folder.ts';

const ROOT = new URL('../../', import.meta.url);
const text = readFileSync(new URL('docs/library.md', ROOT), 'utf8');
const blocks = [...text.matchAll(/^## (.*)\n|^```js\n([\s\S]*?)^```/gm)];
const folder = newFolder('library-docs');
after(() => rmSync(folder, { recursive: true, force: true }));
const indexPath = `${folder}/site.akin`;

const ENTRIES: Readonly<Record<string, string>> = {
  'akin-web': 'library',
  'akin-web/fastify': 'fastify',
  'akin-web/client': 'client',
  'akin-web/client/write': 'client-write',
};

/** What an example prints. */
async function run(code: string, number: number): Promise<unknown[][]> {
  const resolved = code.replace(/from '([^']+)'/g, (_, name: string) => {
    const entry = ENTRIES[name];
    const url =
      entry === undefined ? import.meta.resolve(name) : new URL(`src/library/${entry}.ts`, ROOT).href;
    return `from '${url}'`;
  });
  const printed: unknown[][] = [];
  const { log, warn } = console;
  console.log = (...words) => printed.push(words);
  console.warn = (...words) => assert.fail(words.join(' '));
  try {
    // Logs of a server are not for the output of tests.
    const path = `${folder}/example-${number}.mjs`;
    const placed = resolved
      .replaceAll("'site.akin'", `'${indexPath}'`)
      .replaceAll('site.akin-pages', `${folder}/pages`);
    writeFileSync(path, placed.replace('{ logger: true }', ''));
    await import(path);
  } finally {
    Object.assign(console, { log, warn });
  }
  return printed;
}

const LIVE = { maxPending: 9, maxPendingBytes: 2 ** 20, share: 9, waitMs: 1e9, run: async () => false };
const EXPECTED: Readonly<Record<string, (printed: unknown[][]) => void>> = {
  'Related documents in memory': (printed) => {
    assert.deepEqual(
      printed.map(([url]) => url),
      ['https://example.org/canes'],
    );
    assert.match(String(printed[0]![2]), /\broses\b/);
  },
  'Building an index': (printed) => assert.deepEqual(printed, [[4, {}]]),
  'Asking an index': (printed) => {
    if (printed.length === 1) {
      assert.deepEqual(printed, [[['a', 'b', 'c', 'd'].map((name) => `https://example.org/${name}`)]]);
      return;
    }
    assert.equal(printed[0]![0], 'https://example.org/b');
    assert.deepEqual(printed[1], [2, 2]);
    assert.equal(printed[2]![0], 'AKIN_ERR_PAGE_NOT_INDEXED');
  },
  'Lists in the pages of a folder': ([printed]) => {
    assert.deepEqual(printed!.slice(0, 2), [4, ['bread.html', 'canes.html', 'roses.html', 'rye.html']]);
    assert.match(String(printed![2]), /<a class="akin-link" href="https:\/\/example.org\/canes.html"/);
  },
  "In a site's own server": (printed) => assert.equal((printed[0]![0] as unknown[]).length, 1),
  'Asking a server': (printed) => assert.deepEqual(printed, [[['Pots']]]),
  'Writing to a server': (printed) => assert.deepEqual(printed, [['added', true, 1]]),
};

let heading = '';
let count = 0;
for (const [, title, code] of blocks) {
  if (title !== undefined) heading = title;
  if (code === undefined) continue;
  const [number, of] = [++count, heading];
  test(`example ${number} of docs/library.md: ${of}`, async () => {
    let source = code;
    if (source.includes('http://127.0.0.1:3000')) {
      const app = await buildApp({ indexPath, pollMs: 0, maxEventLoopDelayMs: 0, live: LIVE });
      after(() => app.close());
      source = source.replace('http://127.0.0.1:3000', await app.listen({ port: 0, host: '127.0.0.1' }));
    }
    EXPECTED[of]!(await run(source, number));
  });
}

test('the page has an example of each part', () => assert.equal(count, 8));
