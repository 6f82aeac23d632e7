import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mix32 } from '../../src/lib/hash.ts';
import { BagSigner, createHashFamily } from '../../src/sketch/mh-signature.ts';
import { bagOf, matrixOf, randomMatrix } from '../join/bags.ts';
import { mhSignature } from '../twins/plain-signature.ts';

const hashes = Uint32Array.from({ length: 70_000 }, (_, feature) => mix32(feature + 5));

test('the kernel gives the MH-signature of every bag, empty ones included', () => {
  const matrix = randomMatrix(600, 300, 4);
  assert.ok(matrix.sums.includes(0));
  for (const m of [16, 80, 100, 128]) {
    const family = createHashFamily(m, 9);
    const truth = new Uint32Array(600 * m);
    for (let page = 0; page < 600; page++) mhSignature(bagOf(matrix, page), hashes, family, truth, page * m);
    const out = new Uint32Array(600 * m);
    const signer = new BagSigner(family, hashes);
    signer.sign(matrix, 0, 250, out);
    signer.sign(matrix, 250, 600, out.subarray(250 * m));
    assert.deepEqual(out, truth, `m ${m}`);
  }
});

test('bags as large as they come are signed', () => {
  const wide = new Map(Array.from({ length: 65_535 }, (_, feature) => [feature, 1] as const));
  const heavy = new Map(Array.from({ length: 257 }, (_, feature) => [feature, 255] as const));
  const matrix = matrixOf([wide, heavy, wide], 70_000);
  const family = createHashFamily(16, 2);
  const out = new Uint32Array(48);
  new BagSigner(family, hashes).sign(matrix, 0, 3, out);
  const truth = new Uint32Array(48);
  for (let page = 0; page < 3; page++) mhSignature(bagOf(matrix, page), hashes, family, truth, page * 16);
  assert.deepEqual(out, truth);
});
