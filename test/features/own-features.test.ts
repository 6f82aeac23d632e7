import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packFeatures, readFeatures, unpackFeatures } from '../../src/features/own-features.ts';

test('groups are read as they are, and names without a group are the group own', () => {
  assert.deepEqual(readFeatures({ tags: { rose: 1, 'Ärger 2': 0.5 } }), {
    tags: { rose: 1, 'Ärger 2': 0.5 },
  });
  assert.deepEqual(readFeatures({ rose: 1, keel: 2 }), { own: { rose: 1, keel: 2 } });
  assert.deepEqual(readFeatures({}), {});
});

test('what is packed does not depend on the order, is read again as it was, and is empty for none', () => {
  const one = packFeatures({ tags: { b: 2, a: 1, 10: 3 }, own: { x: 0.25 }, none: {} });
  assert.equal(one, packFeatures({ own: { x: 0.25 }, tags: { 10: 3, a: 1, b: 2 } }));
  assert.deepEqual(unpackFeatures(one), { own: { x: 0.25 }, tags: { 10: 3, a: 1, b: 2 } });
  assert.equal(packFeatures({ tags: {} }), '');
  assert.deepEqual(unpackFeatures(''), {});
});

test('what cannot be used is named', () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`n${i}`, 1]));
  const cases: [unknown, RegExp][] = [
    [[], /expected an object/],
    ['rose', /expected an object/],
    [{ tags: { rose: 0 } }, /tags: the weight of "rose"/],
    [{ tags: { rose: -1 } }, /weight/],
    [{ tags: { rose: Number.POSITIVE_INFINITY } }, /weight/],
    [{ tags: { rose: '1' } }, /weight/],
    [{ rose: 'red' }, /own: the weight of "rose"/],
    [{ tags: { rose: 1 }, keel: 2 }, /features\.keel: expected an object/],
    [{ content: { rose: 1 } }, /the group "content"/],
    [{ Tags: { rose: 1 } }, /the group "Tags"/],
    [{ tags: { '': 1 } }, /the name ""/],
    [{ tags: { ['x'.repeat(201)]: 1 } }, /1 to 200 characters/],
    [{ tags: { '\ud800': 1 } }, /the name/],
    [{ tags: many }, /more than 10000/],
    [Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`g${i}`, { a: 1 }])), /17 groups/],
    [JSON.parse('{"__proto__": {"a": 1}}'), /the group "__proto__"/],
    [{ constructor: { a: 1 } }, /the group "constructor"/],
  ];
  for (const [value, message] of cases) {
    const read = readFeatures(value);
    assert.match(typeof read === 'string' ? read : 'read', message);
  }
});
