import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJudgementTable } from '../../../src/cli/evaluate/judgement-table.ts';
import { InputError } from '../../../src/errors.ts';

const read = (text: string, column: string | null = null) => readJudgementTable('own.tsv', text, column);

test('labels are read from the one column with a known name, several from one cell', () => {
  const text =
    '\ufeffid\turl\tcategories\r\n1\thttps://a.example/\tred | round|red\r\n\r\n2\thttps://b.example/\t\r\n';
  assert.deepEqual(read(text), {
    kind: 'labels',
    column: 'categories',
    rows: [
      { line: 2, url: 'https://a.example/', labels: ['red', 'round'] },
      { line: 4, url: 'https://b.example/', labels: [] },
    ],
  });
});

test('a named column goes before the known names', () => {
  const table = read('url\tlabel\tkind\nhttps://a.example/\tx\ty\n', 'kind');
  assert.deepEqual(table.kind === 'labels' && table.rows[0]!.labels, ['y']);
});

test('judged pairs have two URLs and a grade', () => {
  assert.deepEqual(read('url_a\turl_b\tgrade\nhttps://a.example/\thttps://b.example/\t2.5\n'), {
    kind: 'pairs',
    rows: [{ line: 2, urlA: 'https://a.example/', urlB: 'https://b.example/', grade: 2.5 }],
  });
});

const FAULTS: [string, string, string | null, RegExp][] = [
  ['an empty file', '', null, /^own\.tsv:1: no column url$/],
  ['a table without lines', 'url\tlabel\n', null, /^own\.tsv has column names but no lines$/],
  ['no column of labels', 'url\tcolour\na\tb\n', null, /^own\.tsv:1: no column named label, labels,/],
  [
    'two columns of labels',
    'url\tlabel\ttags\na\tb\tc\n',
    null,
    /^own\.tsv:1: several columns .*label, tags$/,
  ],
  ['a column twice', 'url\tlabel\turl\na\tb\tc\n', null, /^own\.tsv:1: two columns url$/],
  ['an unknown column', 'url\tlabel\na\tb\n', 'colour', /^own\.tsv:1: no column colour$/],
  ['pairs without grades', 'url_a\turl_b\na\tb\n', null, /^own\.tsv:1: no column grade$/],
  ['a short line', 'url\tlabel\na\tb\na\n', null, /^own\.tsv:3: column label: the line has only 1 cell$/],
  ['a line without a URL', 'url\tlabel\n \tb\n', null, /^own\.tsv:2: column url: is empty$/],
  [
    'a grade that is no number',
    'url_a\turl_b\tgrade\na\tb\tgood\n',
    null,
    /^own\.tsv:2: column grade: "good"/,
  ],
  ['a grade below 0', 'url_a\turl_b\tgrade\n\na\tb\t-1\n', null, /^own\.tsv:3: column grade: "-1"/],
];
for (const [name, text, column, message] of FAULTS) {
  test(`${name} is refused with its place`, () => {
    assert.throws(
      () => read(text, column),
      (error) => error instanceof InputError && message.test(error.message) && error.hint !== undefined,
    );
  });
}
