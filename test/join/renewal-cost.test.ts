import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateBags } from '../../bench/generate.ts';
import { cheapestRenewal } from '../../src/join/renewal-cost.ts';

test('a few changes are an update; many are a search of all pages, by the graph only where pages may be missed', () => {
  const pages = generateBags({ pageCount: 5000 });
  const first = (count: number) => Array.from({ length: count }, (_, page) => page);
  assert.equal(cheapestRenewal(pages, first(50), first(500), true), 'update');
  assert.equal(cheapestRenewal(pages, first(4000), [], false), 'exact');
  const many = generateBags({ pageCount: 150_000, pageWords: 12 });
  assert.equal(cheapestRenewal(many, first(149_000), [], true), 'graph');
  assert.equal(cheapestRenewal(many, first(149_000), [], false), 'exact');
});
