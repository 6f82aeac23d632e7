/** Marks and selectors mean the same in a build, an addition and a posted document. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIndex } from '../../src/library/index-questions.ts';
import { relate } from '../../src/library/relate.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { longTest } from '../long-test.ts';
import { openStore } from '../store/open-store.ts';
import { document, prose, type TestPage } from './pages.ts';
import { add, buildSweeps, differingTables } from './sweeps.ts';

const PAGES = 24;
const MENU = 'roses tulips orchids violets daisies lilies poppies asters';

/** Pages of three topics; the menu of each says what another topic says. */
function pages(
  from: number,
  to: number,
  day: number,
  wrap: (text: string, menu: string) => string,
): TestPage[] {
  return Array.from({ length: to - from }, (_, at) => {
    const i = from + at;
    const text = `<h2>${prose(i % 3, 4, i)}</h2><p>${prose(i % 3, 60, i)} <a href="/p${(i + 3) % PAGES}">on</a>`;
    const html = document(`page ${i}`, wrap(text, prose((i + 1) % 3, 120, i)));
    return { url: `https://marks.example/p${i}`, html, day };
  });
}

const marked = (text: string, menu: string) =>
  `<nav>${menu} ${MENU}</nav><main data-akin-body>${text}<p data-akin-weight=4>${text.slice(0, 40)}</p>` +
  `<aside data-akin-ignore>${menu}</aside></main>`;

longTest('an addition reads marked pages as a build does, and what is kept of them is whole', async (t) => {
  const options = { parts: { content: 0.6, heading: 0.2, anchor: 0.2 }, minPageCount: 1 };
  const [first, second] = [pages(0, 20, 0, marked), pages(16, PAGES, 30, marked)];
  const { target, report } = await buildSweeps(t, [first], options);
  assert.deepEqual(report.marks, {
    recordCount: 20,
    bodyRecordCount: 20,
    ignoreRecordCount: 20,
    weightRecordCount: 20,
  });
  await add(t, target, second, options);
  const whole = await buildSweeps(t, [first, second], options);
  assert.deepEqual(differingTables(target, whole.target), []);
  assert.deepEqual(checkIndex(target).faults, []);
});

test('selectors, marks and pages without menu give the same bags; a posted document is read as its index was', async (t) => {
  const bare = (text: string) => text;
  const classed = (text: string, menu: string) =>
    `<nav class="top menu">${menu}</nav><div id=text>${text}<p class=toc>${menu}</p></div>${menu}`;
  const asked = { body: '#text', ignore: 'p.toc, .menu' };
  const posted = (html: string) => ({ html, title: 'page 5' });
  const lists: unknown[] = [];
  for (const [wrap, options] of [
    [bare, {}],
    [classed, asked],
  ] as const) {
    const made = pages(0, PAGES, 0, wrap);
    const { target, report } = await buildSweeps(t, [made], { minPageCount: 1, ...options });
    assert.equal(report.marks.bodyRecordCount, wrap === bare ? 0 : PAGES);
    const reader = openStore(t, target);
    const bags = Array.from({ length: PAGES }, (_, i) => reader.bag(0, i));
    await using index = await openIndex(target);
    const { related } = await index.similar(posted(made[5]!.html!), { limit: 5 });
    const inMemory = await relate(
      made.map(({ url, html }) => ({ url, html: html! })),
      { minPageCount: 1, ...options },
    );
    lists.push([
      bags,
      related.map(({ url, similarity }) => [url, similarity]),
      inMemory.get(made[5]!.url)!.map(({ url }) => url),
    ]);
  }
  assert.deepEqual(lists[0], lists[1]);
});
