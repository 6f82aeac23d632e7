import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder } from '../new-folder.ts';
import {
  ALIAS,
  ESSAY,
  ESSAY_TEXT,
  EXCERPT,
  edited,
  GONE,
  MIRROR,
  NEAR,
  NEW,
  OLD,
  STEADY,
  UNDATED,
  writeSweepsIndex,
} from '../service/sweeps-index.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = newFolder('copies');
after(() => rmSync(folder, { recursive: true }));
const index = join(folder, 'sweeps.akin');
writeSweepsIndex(index);
const written = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const essay = written('essay.txt', ESSAY_TEXT);
const draft = written('draft.html', `<title>Draft</title><p>${edited(ESSAY_TEXT, 150)}`);

const shown = async (argv: string[], given?: Parameters<typeof akin>[1]) => {
  const { code, stdout, stderr } = await akin(argv, given);
  assert.equal(code, 0, stderr);
  return stdout;
};

test('related, cluster and similar ask about copies', async () => {
  const table = await shown(['related', index, ESSAY, '--by', 'copy']);
  assert.match(table, /^Similarity +In result +Of result +Title +URL$/m);
  assert.match(table, /^ *0\.\d{3} +0\.\d{3} +0\.\d{3} {2}An essay +https:\/\/mirror\.example\/essay$/m);
  assert.match(await shown(['cluster', index, ESSAY, '--by', 'copy']), /: 3 pages/);
  assert.match(await shown(['cluster', index, EXCERPT, '--by', 'copy']), /this page alone/);
  const { related } = JSON.parse(await shown(['similar', index, essay, '--by', 'copy', '--json']));
  assert.deepEqual([related[0].url, related[0].similarity], [MIRROR, 1]);
});

test('two documents are compared without an index', async () => {
  const table = await shown(['compare', essay, draft]);
  assert.match(table, /^equality +different$/m);
  assert.match(table, /^resemblance +0\.\d{3}$/m);
  assert.doesNotMatch(table, /^topic/m);
  assert.match(table, /^Tokens +In a +In b +Shared passage$/m);
  const answer = JSON.parse(
    await shown(['compare', essay, '-', '--json'], { stdin: ESSAY_TEXT.toUpperCase() }),
  );
  assert.deepEqual([answer.equality, answer.generation, answer.topic], ['lexically_equal', null, null]);
  assert.ok(!('text' in answer.a));
  const withText = JSON.parse(await shown(['compare', essay, draft, '--json', '--text']));
  assert.equal(withText.a.text, ESSAY_TEXT);
});

test('a document is compared with a page of an index', async () => {
  const table = await shown(['compare', MIRROR, draft, '--index', index]);
  assert.match(table, /^a +https:\/\/mirror\.example\/essay, An essay, 600 tokens$/m);
  const answer = JSON.parse(await shown(['compare', MIRROR, draft, '--index', index, '--json']));
  // Other commands have it first.
  const { stderr } = await akin(['compare', index, draft]);
  assert.ok(stderr.endsWith(`akin compare A B --index ${index}\n`), stderr);
  assert.deepEqual([answer.measure, answer.a.indexed, answer.b.indexed], ['exact', true, false]);
});

test('a list of results is folded, from a file, from JSON and from standard input', async () => {
  const urls = [NEAR, 'https://nowhere.example/', MIRROR, NEW];
  const table = await shown(['group', index, '-'], { stdin: `${urls.join('\n')}\n` });
  assert.match(table, /3 groups, 1 hidden copy\n$/);
  assert.match(table, /nowhere\.example\/ +\(not in the index\)/);
  const rows = table.split('\n').filter((line) => line.includes('https://'));
  assert.deepEqual(
    rows.map((row) => row.trim().split(/\s+/)[0]),
    ['1', '3', '2', '4'],
  );
  const json = written('results.json', JSON.stringify({ results: urls }));
  const strict = JSON.parse(await shown(['group', index, json, '--threshold', '1', '--json']));
  assert.equal(strict.groups.length, 4);
});

test('a page that is gone is found, with its history', async () => {
  const table = await shown(['moved', index, OLD]);
  assert.match(table, /^On moving \(.*\)\nnot in the latest sweep, last seen in sweep-1 \(2026-01-01\)\n/);
  assert.match(await shown(['moved', index, GONE]), /\ngone, last seen in sweep-1/);
  assert.match(
    table,
    /0\.8\d\d +0\.9\d\d {2}is now at {2}resemblance, title {2}sweep-3 \(2026-07-01\) {2}On moving {2}https:\S+\/new$/m,
  );
  assert.match(await shown(['moved', index, ALIAS]), /\nleads elsewhere\n\n[\s\S]*redirect, same_text/);
  assert.match(await shown(['moved', index, GONE]), /found nowhere else\n$/);
  const there = await shown(['moved', index, NEW]);
  assert.match(there, /\nnot moved: as far as the sweeps know it is there, last seen in sweep-3/);
  assert.match(there, /\n\nthese pages also have its text:\n/);
  assert.match(await shown(['moved', index, STEADY]), /\n\nno other page has its text\n$/);
  const undated = await shown(['history', index, UNDATED]);
  assert.match(undated, /^sweep-1 +unknown +[0-9a-f]{16} +120 {2}first$/m);
  assert.match(await shown(['moved', index, UNDATED]), /last seen in sweep-3 \(date unknown\)/);
  const history = await shown(['history', index, ESSAY]);
  assert.match(history, /^sweep-1 +2026-01-01 00:00:00 +[0-9a-f]{16} +600 {2}first$/m);
  assert.match(history, /^sweep-3 .* major +~0\.\d{3} +0\.\d{3} +0\.\d{3}$/m);
  assert.equal(JSON.parse(await shown(['history', index, ESSAY, '--json'])).captures.length, 3);
  assert.doesNotMatch(history, /the first/);
  assert.match(await shown(['history', index, ESSAY, '--limit', '2']), /\n\nthe first 2 of 3 captures\n$/);
});

test('changes are those of the export', async () => {
  const rows = await shown(['changes', index]);
  assert.equal(await shown(['export', index, '--what', 'changes']), rows);
  const lines = rows
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  assert.deepEqual(lines[0]!.slice(0, 6), ['url', 'title', 'state', 'sweep', 'fetched_at', 'news']);
  const some = await shown(['changes', index, '--sweep', 'sweep-3', '--news', 'major', 'rewritten']);
  assert.match(some, new RegExp(`^${ESSAY}\t.*\tsweep-3\t.*\tmajor\t`, 'm'));
});

test('what cannot be asked is refused with its exit code', async () => {
  const source = written('garden.jsonl', GARDEN_JSONL);
  const plain = join(folder, 'plain.akin');
  await shown(['index', source, '--to', plain, '--no-copies', '--workers', '1']);
  const failures: [number, string[]][] = [
    [2, ['compare', MIRROR, essay]],
    [2, ['compare', '-', '-']],
    [2, ['compare', essay]],
    [2, ['compare', essay, draft, '--text']],
    [2, ['compare', MIRROR, NEAR, '--index', index, '--type', 'html']],
    [2, ['related', index, ESSAY, '--by', 'copy', '--explain']],
    [2, ['similar', index, essay, '--by', 'copy', '--exact']],
    [2, ['index', source, '--to', plain, '--base', 'https://example.org/']],
    [2, ['index', source, '--to', plain, '--format', 'jsonl']],
    [3, ['compare', essay, join(folder, 'nowhere.txt')]],
    [4, ['compare', essay, 'https://nowhere.example/', '--index', index]],
    [2, ['group', index, essay, '--threshold', 'high']],
    [3, ['group', index, written('broken.json', '[1,')]],
    [3, ['group', index, written('empty.txt', '\n')]],
    [3, ['group', index, written('numbers.json', '[1]')]],
    [4, ['moved', index, 'https://nowhere.example/']],
    [4, ['history', index, 'https://nowhere.example/']],
    [2, ['moved', index, OLD, '--min-containment', '2']],
    [2, ['history', plain, 'https://garden.example/roses']],
    [2, ['changes', plain]],
    [3, ['changes', join(folder, 'nowhere.akin')]],
  ];
  for (const [expected, argv] of failures) {
    const { code, stdout, stderr } = await akin(argv);
    const call = `akin ${argv.join(' ')}: ${stderr}`;
    assert.equal(code, expected, call);
    assert.equal(stdout, '', call);
    assert.match(stderr, /^(akin: .+\n)+hint: .+\n$/, call);
    assert.doesNotMatch(stderr, /(GET|POST) \/|this service/, call);
  }
  const { stderr } = await akin(['history', plain, 'https://garden.example/roses']);
  assert.match(
    stderr,
    /^akin: this index does not hold "copy", only topic, .*companion$/m,
    'it has no flag --by to name',
  );
});
