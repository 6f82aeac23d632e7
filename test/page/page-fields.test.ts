/** Fields of records, and what is asked of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDeclared, parseDeclared } from '../../src/page/fields/declared-fields.ts';
import {
  type FieldTest,
  namesValues,
  parseCondition,
  passes,
  testsOfValues,
} from '../../src/page/fields/field-condition.ts';
import {
  type FieldScalar,
  ofKinds,
  packFields,
  readFields,
  unpackFields,
} from '../../src/page/fields/page-fields.ts';

const packed = (given: unknown) => {
  const read = readFields(given);
  return typeof read === 'string' ? read : packFields(read);
};

test('fields are packed in the order of their names, without what is null or empty', () => {
  const given = {
    tags: ['b', 'a'],
    price: 12.5,
    organic: false,
    gone: null,
    left: undefined,
    none: [],
    'a.b-c_D9': '',
  };
  assert.equal(packed(given), '{"a.b-c_D9":"","organic":false,"price":12.5,"tags":["b","a"]}');
  assert.deepEqual(unpackFields(packed({ constructor: 1 })), { constructor: 1 });
  assert.equal(packed({ gone: null, none: [] }), '');
  assert.deepEqual(unpackFields(''), {});
});

test('what cannot be used is named', () => {
  const faults: [unknown, RegExp][] = [
    ['tea', /^fields: expected an object$/],
    [['tea'], /expected an object/],
    [{ '9lives': 1 }, /the name "9lives" is not of 1 to 64/],
    [{ ['n'.repeat(65)]: 1 }, /the name "n+ is not/],
    [JSON.parse('{"__proto__": 1}'), /the name "__proto__"/],
    [{ a: { b: 1 } }, /^fields\.a: \{"b":1\} is no text, number, true or false$/],
    [{ a: [1, [2]] }, /^fields\.a: \[2\] is no/],
    [{ a: [1, null] }, /^fields\.a: null is no/],
    [{ a: Number.NaN }, /^fields\.a: null is no/],
    [{ a: '\ud800' }, /^fields\.a: /],
    [{ a: [1, undefined] }, /^fields\.a: nothing is no/],
    [{ a: 1n }, /^fields\.a: a value of the type bigint is no/],
    [{ a: globalThis }, /^fields\.a: a value of the type object is no/],
    [Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`n${i}`, 1])), /65 names; 64 are allowed/],
    [{ a: 'é'.repeat(2045) }, /^fields: 4098 bytes as JSON; 4096 are allowed$/],
  ];
  for (const [given, fault] of faults) {
    assert.match(packed(given), fault);
  }
  assert.equal(typeof readFields({ a: 'é'.repeat(2044) }), 'object', '{"a":"..."} of 4,096 bytes');
});

test('declared kinds', () => {
  const declared = parseDeclared('price:number, category,day:date')!;
  assert.deepEqual(declared, { category: 'any', day: 'date', price: 'number' });
  assert.equal(formatDeclared(declared), 'category,day:date,price:number');
  assert.deepEqual(parseDeclared(''), {});
  for (const bad of ['a,a', 'a:b', 'a:any:any', 'a:text', '1', ',', 'a b'])
    assert.equal(parseDeclared(bad), undefined);
  const right = { price: [1, 2], day: '2024-05-01', category: ['a', true, 3], other: 'cheap' };
  assert.deepEqual(ofKinds(right, declared), { fields: right, fault: null });
  const wrongs = [
    [{ price: [1, 'cheap'], category: 'a' }, { price: [1], category: 'a' }, 'price: "cheap" is no number'],
    [{ price: 'cheap', category: 'a', day: 'x' }, { category: 'a' }, 'price: "cheap" is no number'],
    [{ day: '2024-02-30' }, {}, 'day: "2024-02-30" is no date'],
    [{ day: 20240501, price: 3 }, { price: 3 }, 'day: 20240501 is no date'],
  ] as const;
  for (const [given, fields, fault] of wrongs)
    assert.deepEqual(ofKinds(given, declared), { fields, fault: `fields.${fault}` });
});

/** Which of the values pass. */
function passing(condition: string, values: readonly FieldScalar[]): FieldScalar[] {
  const { name, tests } = parseCondition(`x=${condition}`)!;
  assert.equal(name, 'x');
  return values.filter((value) => passes({ x: value }, 'x', tests!));
}

test('a value is asked for by what it is', () => {
  const values = [
    ...['', 'tea', 'Tea', 'a,b', 'a..b', '12', 'same', 'true', '\\', 12, 12.5, -3, true, false],
    ...[
      '2024-05-01',
      '2024-05-01T10:00:00Z',
      '2024-05-01T23:59:59.999Z',
      '2024-05-02',
      '2024-05-01T23:30-02:00',
    ],
  ];
  const cases: [string, FieldScalar[]][] = [
    ['', ['']],
    ['tea', ['tea']],
    ['tea,Tea', ['tea', 'Tea']],
    ['a\\,b', ['a,b']],
    ['a\\..b', ['a..b']],
    ['\\same', ['same']],
    ['\\\\', ['\\']],
    ['12', ['12', 12]],
    ['12.0', [12]],
    ['true', ['true', true]],
    ['..12', [12, -3]],
    ['12..', [12, 12.5]],
    ['-3..12.2', [12, -3]],
    ['13..20', []],
    ['..-4,12.5', [12.5]],
    ['2024-05-01', ['2024-05-01', '2024-05-01T10:00:00Z', '2024-05-01T23:59:59.999Z']],
    ['2024-05-01T12:00:00+02:00', ['2024-05-01T10:00:00Z']],
    ['2024-05-01T10:00..2024-05-01', ['2024-05-01T10:00:00Z', '2024-05-01T23:59:59.999Z']],
    ['2024-05-02..', ['2024-05-02', '2024-05-01T23:30-02:00']],
    ['..2024-04-30', []],
  ];
  for (const [condition, expected] of cases)
    assert.deepEqual(passing(condition, values), expected, condition);
  for (const bad of [
    'x',
    '=1',
    '=',
    'x=a..b',
    'x=..',
    'x=1..b',
    'x=1..2024-05-01',
    'x=a,,b',
    '1x=a',
    `x=${'a'.repeat(999)}`,
  ]) {
    assert.equal(parseCondition(bad), null, bad);
  }
  assert.deepEqual(parseCondition('x=same'), { name: 'x', tests: null });
  assert.deepEqual(['x=', 'x=same', 'x', 'x=a', 'x=a=', 'x=1..', 'x=a,b'].map(namesValues), [
    false,
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

test('the same as another page is any of its values; of a list any counts; a name of objects is none', () => {
  const tests: FieldTest[] = testsOfValues(['tea', 12, true, '2024-05-01']);
  assert.ok(passes({ x: ['no', 12] }, 'x', tests));
  assert.ok(passes({ x: '2024-05-01' }, 'x', tests));
  assert.ok(!passes({ x: ['no', '12'] }, 'x', tests));
  assert.ok(!passes({ x: '2024-05-01T10:00Z' }, 'x', tests));
  assert.ok(!passes({}, 'constructor', tests));
  assert.ok(!passes({ x: 'tea' }, 'x', testsOfValues([])));
});
