import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32 } from '../../src/lib/base32.ts';

test('base 32 is that of RFC 4648, without padding', () => {
  const vectors = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  for (const [length, expected] of vectors.entries()) {
    assert.equal(base32(Buffer.from('foobar'.slice(0, length))), expected);
  }
});
