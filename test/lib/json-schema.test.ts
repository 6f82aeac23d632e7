import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as Theirs } from 'typebox';
import { Compile } from 'typebox/compile';
import { Type } from '../../src/lib/json-schema.ts';

/** The same schemas by both. */
function schemasOf(T: typeof Type) {
  const text = T.String({ minLength: 1 });
  const marked = T.Optional(T.Integer({ minimum: 0, description: 'of pages' }));
  return [
    text,
    T.String(),
    T.Number({ maximum: 1 }),
    T.Boolean({ default: false }),
    T.Null(),
    T.Unknown(),
    T.Unsafe<string>({ type: 'string', format: 'uri' }),
    T.Literal('page', { description: 'a kind' }),
    T.Literal(true),
    T.Enum(['size', 'label'], { default: 'size' }),
    T.Ref('Problem#'),
    T.Array(text, { maxItems: 3 }),
    T.Tuple([text, T.Integer()]),
    T.Tuple([]),
    T.Union([text, T.Null()], { description: 'or null' }),
    T.Record(T.String(), T.Number(), { description: 'by name' }),
    T.Object({ text, marked, all: T.Array(marked) }, { $id: 'Page', additionalProperties: false }),
    T.Object({ marked }),
    T.Object({ copied: { ...marked } }),
    T.Object({}),
    T.Optional(T.Object({ marked, text })),
    T.Object({ even: T.Optional(T.Refine(T.Integer(), (value) => value % 2 === 0)) }),
  ];
}

test('schemas are written as those of typebox, their members in the same order', () => {
  const theirs = schemasOf(Theirs);
  for (const [i, schema] of schemasOf(Type).entries()) {
    assert.equal(JSON.stringify(schema), JSON.stringify(theirs[i]));
  }
});

test('what typebox compiles of them takes and refuses the same values', () => {
  const values = ['', 'page', 'size', 0, 1, -1, 0.5, true, null, [], ['a'], ['a', 1], ['a', 1, 2], {}];
  const objects = [{ marked: 1 }, { marked: -1 }, { text: 'a' }, { text: 'a', all: [1] }, { even: 2 }];
  const more = [{ even: 3 }, { even: 'a' }, { copied: 1 }, { a: 1, b: 2 }, { text: 'a', all: [], other: 1 }];
  const theirs = schemasOf(Theirs);
  let taken = 0;
  for (const [i, schema] of schemasOf(Type).entries()) {
    if ('$ref' in schema) continue;
    const [one, other] = [Compile(schema), Compile(theirs[i]!)];
    for (const value of [...values, ...objects, ...more]) {
      assert.equal(
        one.Check(value),
        other.Check(value),
        `${JSON.stringify(schema)} of ${JSON.stringify(value)}`,
      );
      taken += Number(one.Check(value));
    }
  }
  assert.ok(taken > 50);
});

test('a refinement is added to those that a schema has, and is no member of it', () => {
  const even = Type.Refine(Type.Integer(), (value) => value % 2 === 0);
  const both = Compile(Type.Refine(even, (value) => value % 3 === 0));
  assert.deepEqual(
    [1, 2, 3, 6].map((value) => both.Check(value)),
    [false, false, false, true],
  );
  assert.deepEqual(Object.keys(even), ['type']);
});
