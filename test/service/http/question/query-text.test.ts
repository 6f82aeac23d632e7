import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQueryText } from '../../../../src/service/http/question/query-text.ts';

test('a query is read as URLSearchParams reads it, where its escapes are valid', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const text = new URLSearchParams(pairs).toString();
      const query = parseQueryText(text);
      const expected = new Map<string, string[]>();
      for (const [name, value] of new URLSearchParams(text))
        expected.set(name, [...(expected.get(name) ?? []), value]);
      assert.deepEqual(
        new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
        expected,
      );
    }),
    { seed: 12 },
  );
});
