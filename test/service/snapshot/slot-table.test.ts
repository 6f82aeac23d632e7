import assert from 'node:assert/strict';
import { test } from 'node:test';
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
