import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineFormat } from '../src/record/columns.ts';

const COLUMNS = { id: 'long', share: 'double', name: 'text?', bytes: 'binary', isKept: 'boolean' } as const;
const lines = new LineFormat(COLUMNS);

test('a record comes back from its line as it was', () => {
  fc.assert(
    fc.property(
      fc.maxSafeInteger(),
      fc.double({ noNaN: true }).map((share) => share + 0),
      fc.option(fc.string({ unit: 'grapheme' })),
      fc.uint8Array({ maxLength: 40 }),
      fc.boolean(),
      (id, share, name, bytes, isKept) => {
        const line = lines.format({ id, share, name, bytes, isKept });
        assert.equal(line.match(/[\n\r]/g)?.length, 1);
        assert.equal(line.split('\t').length, 5);
        const row = lines.parse(line.slice(0, -1));
        assert.deepEqual(
          { ...row, bytes: [...row.bytes] },
          { id, share: share + 0, name, bytes: [...bytes], isKept },
        );
      },
    ),
    { seed: 1 },
  );
});

test('the line is the one that is documented', () => {
  const row = { id: 7, share: 0.5, name: 'a\tb\\N\n', bytes: Uint8Array.of(1, 2, 255), isKept: true };
  assert.equal(lines.format(row), '7\t0.5\ta\\tb\\\\N\\n\tAQL/\ttrue\n');
  assert.equal(lines.format({ ...row, name: null }), '7\t0.5\t\\N\tAQL/\ttrue\n');
  assert.equal(lines.parse('7\t0.5\t\\\\N\t\ttrue').name, '\\N');
});

test('a first column that is empty has its tab', () => {
  const texts = new LineFormat({ name: 'text', bytes: 'binary', id: 'long' });
  const row = { name: '', bytes: new Uint8Array(), id: 7 };
  assert.equal(texts.format(row), '\t\t7\n');
  assert.equal(texts.parse('\t\t7').id, 7);
});

test('a line of another form is refused and the column is named', () => {
  for (const [line, why] of [
    ['7\t0.5', /2 columns, where 5 are due/],
    ['\\N\t0.5\ta\t\ttrue', /the column id is null/],
    ['7.5\t0.5\ta\t\ttrue', /the column id is "7.5", which is no long/],
    ['7\tx\ta\t\ttrue', /the column share is "x"/],
    ['7\t1\ta\t\tyes', /the column isKept/],
  ] as const) {
    assert.throws(() => lines.parse(line), why);
  }
});
