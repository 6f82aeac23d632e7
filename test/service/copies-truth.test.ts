/** Copies against the exact sets of shingles, over small corpora; copies-truth.long.ts has the large ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpus, html, testCopies, words } from './copies-truth.ts';
import type { Body } from './fixture-app.ts';
import type { FixturePage } from './fixture-index.ts';

testCopies({ mirrors: 15, variants: 60, longest: 20_000, passages: 4 });

test('a page of the index is answered alike by its URL and as a document', async () => {
  const original = words(500);
  const menu = words(60);
  const pages: FixturePage[] = [
    { url: 'https://a.example/', html: html('A', original) },
    { url: 'https://b.example/', html: html('B', [...original.slice(0, 480), ...words(20)]) },
    { url: 'https://c.example/', html: html('C', original.slice(100, 220)) },
    { url: 'https://d.example/', html: html('D', [...words(200), ...original, ...words(900)]) },
    { url: 'https://e.example/', html: html('E', original).replace('lang="en"', 'lang="de"') },
    {
      url: 'https://f.example/',
      html: html('F', [...original.slice(0, 490), ...words(10)]).replace('lang="en"', 'lang="de"'),
    },
    ...Array.from({ length: 15 }, (_, i) => ({
      url: `https://menu.example/${i}`,
      html: html(`Menu ${i}`, [...menu, ...words(40)]),
    })),
  ];
  const { ask, post } = await corpus(pages);
  let listed = 0;
  for (const { url, html: source } of pages) {
    const { body } = await ask('/related', { url, by: 'copy' });
    const named = await post('/similar?by=copy', { url });
    const posted = await post('/similar?by=copy', { url, html: source });
    const exact = await post('/similar?by=copy&exact=true', { url });
    const unnamed = await post('/similar?by=copy', { html: source });
    for (const other of [named, posted, exact]) assert.deepEqual(other.related, body.related, url);
    const others = unnamed.related.filter((item: { url: string }) => item.url !== url);
    assert.deepEqual(
      others.map((item: Body) => ({ ...item, same_site: false })),
      body.related.map((item: Body) => ({ ...item, same_site: false })),
    );
    assert.equal(unnamed.related[0].similarity, 1, 'the page itself');
    listed += body.related.length;
  }
  // A to E list each other, the menus none; F only those whose text declares both languages: A and E.
  assert.equal(listed, 5 * 4 + 2 * 2);
});
