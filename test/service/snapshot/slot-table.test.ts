import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash32 } from '../../../src/lib/hash.ts';
import { findSlot, insertSlot, slotCount } from '../../../src/service/snapshot/slot-table.ts';

test('a table of URLs finds each, and looks at hardly any other', () => {
  const urls = Array.from({ length: 5000 }, (_, i) => `https://a.example/${i}`);
  const slots = new Uint32Array(slotCount(urls.length));
  for (const [id, url] of urls.entries()) insertSlot(slots, url, id);
  let looks = 0;
  const find = (url: string) =>
    findSlot(slots, url, (id) => {
      looks++;
      return urls[id] === url;
    });
  for (const [id, url] of urls.entries()) assert.equal(find(url), id);
  for (const url of urls) assert.equal(find(`${url}x`), -1);
  assert.ok(looks < urls.length * 1.01, `${looks} looks`);
});

test('a URL that has the hash of another is not taken for it', () => {
  const urlOf = (i: number) => `https://a.example/${i}`;
  const byHash = new Map<number, number>();
  let twins: readonly [string, string] | undefined;
  for (let i = 0; twins === undefined; i++) {
    const hash = hash32(urlOf(i));
    const other = byHash.get(hash);
    if (other !== undefined) twins = [urlOf(other), urlOf(i)];
    byHash.set(hash, i);
  }
  const slots = new Uint32Array(slotCount(2));
  const find = (url: string) => findSlot(slots, url, (id) => twins[id] === url);
  insertSlot(slots, twins[0], 0);
  assert.deepEqual(twins.map(find), [0, -1]);
  insertSlot(slots, twins[1], 1);
  assert.deepEqual(twins.map(find), [0, 1]);
});
