import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packVectors, readVectors, unpackVectors } from '../../src/features/vectors.ts';

const base64 = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64');

test('arrays and base64 of float32 are rounded to steps of the largest component', () => {
  const { vectors, fault } = readVectors({
    a: [0.5, -1, 0.25],
    b: base64(0.5, -1, 0.25),
    c: [1e-300, 2e-300],
  });
  assert.equal(fault, null);
  assert.deepEqual(
    Object.entries(vectors).map(([name, vector]) => [name, ...vector]),
    [
      ['a', 64, -127, 32],
      ['b', 64, -127, 32],
      ['c', 64, 127],
    ],
  );
  const packed = packVectors(vectors);
  assert.deepEqual(unpackVectors(packed), vectors);
  assert.deepEqual([packVectors({}), unpackVectors('')], ['', {}]);
  // What is rounded stays as it is.
  const again = readVectors(
    Object.fromEntries(Object.entries(vectors).map(([name, one]) => [name, [...one]])),
  );
  assert.equal(packVectors(again.vectors), packed);
});

test('a vector that cannot be used is left out by itself, and named', () => {
  const faults: readonly [unknown, RegExp][] = [
    [[0, 0, 0], /vectors\.bad: all components are zero/],
    [base64(1, Number.NaN), /vectors\.bad: component 1 is no number/],
    [base64(Number.POSITIVE_INFINITY, 1), /component 0 is no number/],
    [[1, null], /component 1 is no number/],
    [[1, '2'], /component 1 is no number/],
    [[1], /1 components; 2 to 4096 are allowed/],
    [new Array(4097).fill(1), /4097 components/],
    ['not base64!', /not the base64 of numbers of 4 bytes/],
    [Buffer.from('abcdef').toString('base64'), /not the base64 of numbers of 4 bytes/],
    [{ 0: 1 }, /expected an array of numbers/],
  ];
  for (const [bad, message] of faults) {
    const { vectors, fault } = readVectors({ bad, good: [1, 2] });
    assert.deepEqual(Object.keys(vectors), ['good'], String(message));
    assert.match(fault!, message);
  }
  assert.match(readVectors({ content: [1, 2] }).fault!, /vectors\.content: the name is not 1 to 32 of/);
  assert.match(readVectors([1, 2]).fault!, /expected an object/);
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, [1, 2]]));
  assert.match(readVectors(many).fault!, /vectors\.e: more than 4 on a page/);
});
