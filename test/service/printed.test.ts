/** An index of the printed profile: lists go on where the stored ones are cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neighborsFromPairs } from '../../src/join/pairs/similar-pairs.ts';
import { Random } from '../../src/lib/random.ts';
import { chooseBands } from '../../src/sketch/lsh-signature.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { buildPages, PRINTED } from '../indexer/build.ts';
import { extractSimilarPairs } from '../twins/printed-pairs.ts';
import { asker, fixtureApp } from './fixture-app.ts';

/** 140 pages of one site and 10 of another, which are less like the first; 30 of other words. */
function pages() {
  const random = new Random(6);
  const word = (kind: string) => `${kind}${(random.below(4000) + 36).toString(36)}q`;
  const common = Array.from({ length: 60 }, (_, i) => `shared${i.toString(36)}x`);
  const text = (shared: number, own: number) =>
    [...common.slice(0, shared), ...Array.from({ length: own }, () => word('w'))].join(' ');
  return Array.from({ length: 180 }, (_, i) => {
    const [host, shared, own] = i < 140 ? ['near', 60, 6] : i < 150 ? ['far', 58, 7] : ['other', 0, 60];
    return { url: `http://${host}.example/${i}`, html: `<p>${text(shared as number, own as number)}</p>` };
  });
}

/** The pairs of a page by the join of all pages. */
function printedList(reader: IndexReader, url: string): string[] {
  const signatures = reader.signatures(1);
  const choice = chooseBands(80, 3, 125, 1);
  const pairs = extractSimilarPairs(signatures, choice, { leastAgreement: 0.2 });
  const { k, ids, counts } = neighborsFromPairs(pairs, 255);
  const page = reader.findPage(url);
  return [...ids.subarray(page * k, page * k + counts[page]!)].map((id) => reader.page(id).url);
}

test('all printed pairs of a page are listed, page by page and behind filters', async (t) => {
  const { target, reader } = await buildPages(t, pages(), { ...PRINTED, maxPageShare: 1, copies: false });
  const ask = asker(await fixtureApp(target));
  const url = 'http://near.example/7';
  const first = await ask('/related', { url, limit: 100 });
  assert.equal(first.body.related.length, 100);
  assert.ok(first.body.next !== null, 'there is more');
  const second = await ask('/related', { url, limit: 100, cursor: first.body.next });
  const all = [...first.body.related, ...second.body.related];
  const expected = printedList(reader, url);
  assert.ok(expected.length > 110 && expected.length < 180);
  assert.deepEqual(
    all.map((item: { url: string }) => item.url),
    expected,
  );
  assert.ok(all.every((item: { measure: string }) => item.measure === 'estimate'));

  const others = await ask('/related', { url, limit: 100, same_site: 'exclude' });
  const far = all.filter((item: { url: string }) => item.url.startsWith('http://far.example/'));
  assert.ok(far.length > 0);
  assert.deepEqual(others.body.related, far);
});
