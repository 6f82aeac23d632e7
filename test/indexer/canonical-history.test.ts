/** What sweeps say of pages whose canonical URLs and redirects change: which capture is shown under which URL. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { document, prose, type TestPage } from './pages.ts';
import { add, buildSweeps, differingTables, forget } from './sweeps.ts';

/** Of each URL, by one letter, what a sweep finds: `page`, `as b` (canonical), `to b` (redirect), `gone`, `noindex`. */
type Sweep = Readonly<Record<string, string>>;

const urlOf = (name: string) => `https://one.example/${name}`;

/** The title of a page is its letter and the number of the sweep. */
function pagesOf(sweep: Sweep, i: number): TestPage[] {
  return Object.entries({ ...sweep, z: 'page' }).map(([name, found]) => {
    const [kind, to] = found.split(' ');
    const answer = { url: urlOf(name), day: 10 * i };
    if (kind === 'to') return { ...answer, status: 301, location: urlOf(to!) };
    if (kind === 'gone') return { ...answer, status: 404 };
    const head = kind === 'as' ? `<link rel="canonical" href="/${to}">` : '';
    const robots = kind === 'noindex' ? '<meta name="robots" content="noindex">' : '';
    const text = `<p>${prose(100 * i + name.charCodeAt(0), 60, name.charCodeAt(0))}</p>`;
    return { ...answer, html: document(`${name}${i + 1}`, text, head + robots) };
  });
}

/** Of each page its URL, whether it is gone, and the titles of its captures, each behind its sweep. */
function shownIn(target: string): string {
  const reader = IndexReader.open(target);
  try {
    const pages = [...reader.pages()].filter(({ url }) => url !== urlOf('z'));
    const shown = pages.map(({ id, url }) => {
      const captures = reader.captures(id).map(({ sweepId, versionId }) => {
        return `${sweepId}:${reader.versions.text(versionId)!.title}`;
      });
      return `${url.at(-1)} ${[...(reader.isGone(id) ? ['gone'] : []), ...captures].join(' ')}`;
    });
    return shown.join(', ');
  } finally {
    reader.close();
  }
}

async function added(t: TestContext, sweeps: readonly Sweep[]): Promise<{ target: string; shown: string[] }> {
  const pages = sweeps.map(pagesOf);
  const { target } = await buildSweeps(t, pages.slice(0, 1));
  const shown = [shownIn(target)];
  for (const sweep of pages.slice(1)) {
    await add(t, target, sweep);
    shown.push(shownIn(target));
  }
  return { target, shown };
}

const HISTORIES: Readonly<Record<string, readonly [found: Sweep, shown: string][]>> = {
  'a page names a URL that is not read, and then none': [
    [{ a: 'page' }, 'a 1:a1'],
    [{ a: 'as b' }, 'a gone 1:a1, b 2:a2'],
    [{ a: 'page' }, 'a 1:a1 2:a2 3:a3'],
  ],
  'a page leads to another by a redirect, and is back': [
    [{ a: 'page' }, 'a 1:a1'],
    [{ a: 'to b', b: 'page' }, 'a gone 1:a1, b 2:b2'],
    [{ a: 'page', b: 'page' }, 'a 1:a1 3:a3, b 2:b2 3:b3'],
  ],
  'a page names one URL after the other, and then none': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as c' }, 'c 1:a1 2:a2'],
    [{ a: 'page' }, 'a 1:a1 2:a2 3:a3'],
  ],
  'a page names a URL again': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as c' }, 'c 1:a1 2:a2'],
    [{ a: 'as b' }, 'b 1:a1 2:a2 3:a3'],
  ],
  'a page names none in between': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'page' }, 'a 1:a1 2:a2'],
    [{ a: 'as b' }, 'a gone 2:a2, b 1:a1 3:a3'],
  ],
  'a page leads on to what it named': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'to b', b: 'page' }, 'b 1:a1 2:b2'],
    [{ b: 'page' }, 'b 1:a1 2:b2 3:b3'],
  ],
  'the URL that a page names is read later': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ b: 'page' }, 'b 1:a1 2:b2'],
    [{ a: 'as b' }, 'b 1:a1 2:b2'],
    [{ a: 'page' }, 'a 1:a1 3:a3 4:a4, b 2:b2'],
  ],
  'two pages name one URL, each in its sweep': [
    [{ a: 'as c', b: 'as c' }, 'c 1:a1'],
    [{ a: 'as c' }, 'c 1:a1 2:a2'],
    [{ b: 'as c' }, 'c 1:a1 2:a2 3:b3'],
  ],
  'two pages name one URL, and change': [
    [{ a: 'as c', b: 'as c' }, 'c 1:a1'],
    [{ a: 'as c', b: 'page' }, 'b 1:b1 2:b2, c 1:a1 2:a2'],
    [{ a: 'page', b: 'as c' }, 'a 1:a1 2:a2 3:a3, b gone 2:b2, c 1:b1 3:b3'],
  ],
  'two pages name each other in turn': [
    [{ a: 'as b', b: 'page' }, 'b 1:b1'],
    [{ a: 'page', b: 'as a' }, 'a 1:a1 2:a2, b gone 1:b1'],
    [{ a: 'as b', b: 'page' }, 'a gone 2:a2, b 1:b1 2:b2 3:b3'],
  ],
  'a page that named another asks not to be indexed': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as b' }, 'b 1:a1 2:a2'],
    [{ a: 'noindex' }, ''],
  ],
  'a page leads elsewhere by what it named': [
    [{ a: 'page' }, 'a 1:a1'],
    [{ a: 'as b' }, 'a gone 1:a1, b 2:a2'],
    [{ a: 'as b', b: 'to c', c: 'page' }, 'a gone 1:a1, c 2:a2 3:c3'],
    [{ a: 'page', c: 'page' }, 'a 1:a1 2:a2 3:a3 4:a4, c 3:c3 4:c4'],
    [{ a: 'as c' }, 'a gone 1:a1 4:a4, c 2:a2 3:c3 4:c4'],
  ],
  'a page that is gone has the title of what it had': [
    [{ a: 'page' }, 'a 1:a1'],
    [{ a: 'as b', b: 'gone' }, 'a 1:a1 2:a2'],
    [{ a: 'as c' }, 'a gone 1:a1, c 2:a2 3:a3'],
  ],
  'the URL that a page names is gone': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ b: 'page' }, 'b 1:a1 2:b2'],
    [{ b: 'gone' }, 'a 1:a1, b gone 2:b2'],
    [{ a: 'as b' }, 'a 1:a1 4:a4, b gone 2:b2'],
  ],
};

for (const [name, history] of Object.entries(HISTORIES)) {
  test(`${name}: each capture is shown once, added or built at once`, async (t) => {
    const sweeps = history.map(([found]) => found);
    const { target, shown } = await added(t, sweeps);
    assert.deepEqual(
      shown,
      history.map(([, expected]) => expected),
    );
    assert.deepEqual(checkIndex(target).faults, []);
    const once = await buildSweeps(t, sweeps.map(pagesOf));
    assert.equal(shownIn(once.target), shown.at(-1));
    // A capture that others speak for now was none in the sweep that it came with, and the other way round.
    const differing = differingTables(target, once.target).filter((table) => table !== 'skip');
    assert.deepEqual(differing, []);
  });
}

test('a page that is forgotten takes what it said under another URL with it', async (t) => {
  const { target, shown } = await added(t, [{ a: 'as b' }, { a: 'as b' }]);
  assert.deepEqual(shown, ['b 1:a1', 'b 1:a1 2:a2']);
  await forget(target, urlOf('b'));
  assert.equal(shownIn(target), '');
  assert.deepEqual(checkIndex(target).faults, []);
});
