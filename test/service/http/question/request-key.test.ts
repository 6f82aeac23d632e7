import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hash64 } from '../../../../src/lib/hash.ts';
import { entityTag, tagMatches, textHash } from '../../../../src/service/http/question/request-key.ts';

test('a hash is written in base 36, seven digits a word', () => {
  const words = new Uint32Array(2);
  fc.assert(
    fc.property(fc.string(), (text) => {
      hash64(text, words);
      assert.equal(textHash(text), Array.from(words, (word) => word.toString(36).padStart(7, '0')).join(''));
    }),
    { seed: 13 },
  );
});

test('a tag is found among others, whatever stands in it', () => {
  const plain = entityTag('0'.repeat(20), 'a'.repeat(14), '');
  const fields = entityTag('0'.repeat(20), 'a'.repeat(14), '-fields=price,category');
  for (const tag of [plain, fields]) {
    for (const header of [
      tag,
      tag.slice(2),
      `"other", ${tag}`,
      `${tag},W/"other"`,
      `"a,b" ,${tag.slice(2)} `,
    ])
      assert.ok(tagMatches(header, tag), header);
    for (const header of ['', '"other"', tag.slice(3), tag.slice(0, -2), `"x${tag.slice(3)}`, 'fields=price'])
      assert.ok(!tagMatches(header, tag), header);
  }
  assert.ok(!tagMatches(plain, fields));
});
