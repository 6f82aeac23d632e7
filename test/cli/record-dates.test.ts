/** Dates of records by which a page is published or changed: what is none costs the page its date, and is named. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import { akin } from './terminal.ts';

const folder = newFolder('record-dates');
after(() => rmSync(folder, { recursive: true }));

const GOOD = ['2026-05-01', '2026-05-01T10:00:00+02:00', '2026-05-01 10:00', '', null];
const BAD = [
  'yesterday',
  1_767_225_600,
  '2026-02-30',
  '2026-13-01',
  'May 1, 2026',
  '01.05.2026',
  true,
  ['2026-05-01'],
];

/** The report of a build of a page for each date, and the dates that its index has. */
async function built(name: 'published_at' | 'modified_at', dates: readonly unknown[]) {
  const lines = dates.map((date, i) => ({
    url: `https://dated.example/${i}`,
    text: `tea ${i}`,
    [name]: date,
  }));
  const [source, target] = ['jsonl', 'akin'].map((kind) => join(folder, `pages.${kind}`)) as [string, string];
  writeFileSync(source, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const said = await akin(['index', source, '--to', target]);
  assert.equal(said.code, 0, said.stderr);
  const { stdout } = await akin(['export', target, '--what', 'pages', '--format', 'ndjson']);
  const rows = stdout.trimEnd().split('\n');
  return { said: said.stdout, dates: rows.map((row) => JSON.parse(row)[name] ?? null) };
}

test('a date that is none is named, with how many records have one, and the page stays without', async () => {
  for (const name of ['published_at', 'modified_at'] as const) {
    const { said, dates } = await built(name, BAD);
    assert.match(
      said,
      new RegExp(
        `^left out the dates of 8 records, first https://dated\\.example/0: ${name}: expected an ISO date such as 2026-05-01, got "yesterday"$`,
        'm',
      ),
    );
    assert.deepEqual(dates, Array(BAD.length).fill(null));
  }
});

test('a date of ISO 8601 is taken, and an empty one says that none is known', async () => {
  const { said, dates } = await built('published_at', GOOD);
  assert.doesNotMatch(said, /left out/);
  assert.deepEqual(dates, ['2026-05-01', '2026-05-01T08:00:00Z', '2026-05-01', null, null]);
});
