/** What sweeps say of pages whose canonical URLs and redirects change: which capture is shown under which URL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { proveStore } from '../store/open-store.ts';
import { document, prose, type TestPage } from './pages.ts';
import { addSweeps, buildSweeps, differingTables, forget } from './sweeps.ts';

/** Of each URL, by one letter, what a sweep finds: `page`, `as b` (canonical), `to b` (redirect), `gone`, `noindex`. */
type Sweep = Readonly<Record<string, string>>;

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
  'a page names one URL in both sweeps': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as b' }, 'b 1:a1 2:a2'],
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
  'a page that named another asks not to be indexed, and names it again': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as b' }, 'b 1:a1 2:a2'],
    [{ a: 'noindex' }, ''],
    [{ a: 'as b' }, 'b 4:a4'],
  ],
  'the URL that a page names asks not to be indexed, and is back': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ b: 'noindex' }, 'a 1:a1'],
    [{ b: 'page' }, 'b 1:a1 3:b3'],
  ],
  'a page leads to what asks not to be indexed': [
    [{ a: 'as b' }, 'b 1:a1'],
    [{ a: 'as b', b: 'noindex' }, 'a 1:a1 2:a2'],
    [{ a: 'to b' }, ''],
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

const NAMES = Object.keys(HISTORIES);
const SWEEP_COUNT = Math.max(...Object.values(HISTORIES).map(({ length }) => length));

/** Each history is that of a host of its own. */
const urlOf = (history: number, name: string) => `https://h${history}.example/${name}`;

/** The title of a page is its letter and the number of the sweep. */
function pagesOf(sweep: Sweep, i: number, history: number): TestPage[] {
  return Object.entries(sweep).map(([name, found]) => {
    const [kind, to] = found.split(' ');
    const answer = { url: urlOf(history, name), day: 10 * i };
    if (kind === 'to') return { ...answer, status: 301, location: urlOf(history, to!) };
    if (kind === 'gone') return { ...answer, status: 404 };
    const head = kind === 'as' ? `<link rel="canonical" href="/${to}">` : '';
    const robots = kind === 'noindex' ? '<meta name="robots" content="noindex">' : '';
    const seed = 1000 * history + 100 * i + name.charCodeAt(0);
    const text = `<p>${prose(seed, 60, name.charCodeAt(0))}</p>`;
    return { ...answer, html: document(`${name}${i + 1}`, text, head + robots) };
  });
}

const SWEEPS = Array.from({ length: SWEEP_COUNT }, (_, i) =>
  Object.values(HISTORIES).flatMap((history, h) => pagesOf(history[i]?.[0] ?? {}, i, h)),
);

/** Of each history its pages: the URL, whether it is gone, and the titles of its captures, each behind its sweep. */
function shownIn(target: string): Record<string, string> {
  const reader = IndexReader.open(target);
  try {
    const shown = NAMES.map((): string[] => []);
    for (const { id, url } of reader.pages()) {
      const captures = reader.captures(id).map(({ sweepId, versionId }) => {
        return `${sweepId}:${reader.versions.text(versionId)!.title}`;
      });
      const history = Number(/^https:..h(\d+)\./.exec(url)![1]);
      shown[history]!.push(
        `${url.at(-1)} ${[...(reader.isGone(id) ? ['gone'] : []), ...captures].join(' ')}`,
      );
    }
    return Object.fromEntries(NAMES.map((name, history) => [name, shown[history]!.join(', ')]));
  } finally {
    reader.close();
  }
}

longTest('each capture is shown once, added or built at once', async (t) => {
  for (const i of SWEEPS.keys()) {
    const { target } = await addSweeps(t, SWEEPS.slice(0, i + 1));
    const expected = NAMES.map((name) => [name, HISTORIES[name]!.slice(0, i + 1).at(-1)![1]]);
    assert.deepEqual(shownIn(target), Object.fromEntries(expected), `after sweep ${i + 1}`);
  }
  const { target } = await addSweeps(t, SWEEPS);
  proveStore(target);
  const once = await buildSweeps(t, SWEEPS);
  assert.deepEqual(shownIn(once.target), shownIn(target));
  // A capture that others speak for now was none in the sweep that it came with, and the other way round.
  const differing = differingTables(target, once.target).filter((table) => table !== 'skip');
  assert.deepEqual(differing, []);
});

test('a page that is forgotten takes what it said under another URL with it', async (t) => {
  const name = 'a page names one URL in both sweeps';
  const { target } = await addSweeps(t, SWEEPS);
  assert.equal(shownIn(target)[name], 'b 1:a1 2:a2');
  await forget(target, urlOf(NAMES.indexOf(name), 'b'));
  assert.equal(shownIn(target)[name], '');
  proveStore(target);
});
