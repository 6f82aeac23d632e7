/** Why two pages are related, where the words that they share are known beforehand. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, type Body, fixtureApp } from './fixture-app.ts';
import { buildFixture, temporaryFolder } from './fixture-index.ts';

/** Words without an ending that a stemmer would cut. */
const TEXTS: Readonly<Record<string, string>> = {
  a: 'petal thorn hedge dough',
  b: 'petal thorn hedge wheel',
  c: 'petal spoke wheel chain',
  d: 'spoke chain hub wheel',
};
const urlOf = (name: string) => `https://${name}.example/`;
const indexPath = join(temporaryFolder({ after }), 'terms.akin');
const pages = Object.entries(TEXTS).map(([name, text]) => ({ url: urlOf(name), html: `<p>${text}</p>` }));
await buildFixture(indexPath, pages, { minPageCount: 1, maxPageShare: 1 });
const ask = asker(await fixtureApp(indexPath));

test('the terms of each related page are the words that both texts have', async () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    const { body } = await ask('/related', { url: urlOf(name), explain: true });
    assert.ok(body.related.length > 1);
    for (const { url, why } of body.related) {
      const other = TEXTS[new URL(url).hostname[0]!]!.split(' ');
      const expected = text.split(' ').filter((word) => other.includes(word));
      const terms = why.terms.map(({ term }: Body) => term);
      assert.deepEqual(terms.sort(), expected.sort(), `${name} and ${url}`);
    }
  }
});
