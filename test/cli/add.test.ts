import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'better-sqlite3';
import { PageJournal } from '../../src/store/journal/page-journal.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL } from './garden.ts';
import { akin } from './terminal.ts';

const folder = newFolder('add');
const source = join(folder, 'garden.jsonl');
const later = join(folder, 'later.jsonl');
const index = join(folder, 'garden.akin');
const MULCH = 'https://garden.example/mulch';

before(async () => {
  writeFileSync(source, GARDEN_JSONL);
  const mulch = {
    url: MULCH,
    title: 'Mulch',
    text: 'Mulch keeps water in the soil of roses; compost is good mulch.',
  };
  writeFileSync(later, `${GARDEN_JSONL}${JSON.stringify(mulch)}\n`);
  const small = ['--max-df', '1', '--min-df', '1', '--workers', '1', '--sweep', 'spring'];
  assert.equal((await akin(['index', source, '--to', index, ...small])).code, 0);
});
after(() => rmSync(folder, { recursive: true }));

test('add says what a sweep brought, and forget takes it out again', async () => {
  const added = await akin(['add', later, '--to', index, '--workers', '1', '--sweep', 'summer']);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /7 pages after sweep summer/);
  assert.match(added.stdout, /6 pages unchanged, 0 changed, 1 new, 0 gone/);
  assert.equal((await akin(['related', index, MULCH])).code, 0);
  const forgot = await akin(['forget', index, MULCH, '--workers', '1']);
  assert.equal(forgot.code, 0, forgot.stderr);
  assert.match(forgot.stdout, /forgot 1 page, 0 aliases and 1 text in .*; left: 6 pages,/);
  assert.equal((await akin(['related', index, MULCH])).code, 4);
  assert.equal((await akin(['check', index])).code, 0);
});

test('forget says where rules and judgements still have a URL, and where they do not nothing', async () => {
  const [rules, feedback] = [`${index}.rules.json`, `${index}.feedback.jsonl`];
  writeFileSync(rules, JSON.stringify({ rules: [{ block: [MULCH] }] }, null, 1));
  writeFileSync(
    feedback,
    `${JSON.stringify({ url: `${MULCH}/2`, related_url: `${MULCH}?a`, judgement: 'worse' })}\n`,
  );
  const added = await akin(['add', later, '--to', index, '--workers', '1', '--sweep', 'named']);
  assert.equal(added.code, 0, added.stderr);
  const forgot = await akin(['forget', index, MULCH, '--workers', '1', '--json']);
  assert.deepEqual([forgot.code, JSON.parse(forgot.stdout).named_in], [0, [rules]], forgot.stderr);
  assert.ok(forgot.stderr.includes(`akin: ${rules} still has some of these URLs; take them out there\n`));
  for (const path of [rules, feedback]) rmSync(path);
});

test('forget takes what waits, and what was taken out before, from the journal beside the index, too', async () => {
  const indexed = await akin(['add', later, '--to', index, '--workers', '1', '--sweep', 'again']);
  assert.equal(indexed.code, 0, indexed.stderr);
  const path = `${index}.pages`;
  const journal = PageJournal.open(path);
  const entry = { isGone: false, digest: '', textDigest: '', datedMs: 0, atMs: 0 };
  journal.write((put) => {
    for (const [url, word] of [
      [MULCH, 'waitingsecret'],
      ['https://garden.example/old', 'foldedsecret'],
      ['https://garden.example/other', 'keptword'],
    ] as const)
      put({ ...entry, url, record: JSON.stringify({ url, text: `${word} `.repeat(2000) }) });
  });
  journal.close();
  // As older versions took it out.
  const db = new Database(path);
  db.pragma('secure_delete = OFF');
  db.exec("DELETE FROM entry WHERE url = 'https://garden.example/old'");
  db.close();
  const has = (word: string) => readFileSync(path).includes(word);
  assert.deepEqual([has('waitingsecret'), has('foldedsecret'), has('keptword')], [true, true, true]);
  const held = PageJournal.open(path);
  const beside = await akin(['forget', index, 'https://garden.example/soil', '--workers', '1']);
  assert.match(beside.stderr, /a server has .*\.pages/);
  held.close();
  const { code, stderr } = await akin(['forget', index, MULCH, '--workers', '1']);
  assert.equal(code, 0, stderr);
  assert.deepEqual([has('waitingsecret'), has('foldedsecret'), has('keptword')], [false, false, true]);
  assert.ok(!existsSync(`${path}-wal`));
});

test('forget takes out a page that only waits, and an alias alone', async () => {
  const path = `${index}.pages`;
  const waits = 'https://garden.example/waits';
  const put = () => {
    const journal = PageJournal.open(path);
    const entry = { isGone: false, digest: '', textDigest: '', datedMs: 0, atMs: 0 };
    journal.write((write) =>
      write({ ...entry, url: waits, record: JSON.stringify({ url: waits, text: 'waitingalone' }) }),
    );
    return journal;
  };
  const held = put();
  const busy = await akin(['forget', index, waits, '--workers', '1']);
  assert.equal(busy.code, 6);
  assert.match(busy.stderr, /akin delete URL/);
  held.close();
  const one = await akin(['forget', index, waits, '--workers', '1']);
  assert.deepEqual([one.code, one.stdout], [0, `${index}: forgot 1 page that waited\n`], one.stderr);
  assert.ok(!readFileSync(path).includes('waitingalone'));
  const [alias, page] = ['a', 'b'].map((name) => `https://garden.example/${name}`) as [string, string];
  const said = join(folder, 'alias.jsonl');
  const html = `<title>Speaks</title><link rel="canonical" href="${page}"><p>compost for roses`;
  writeFileSync(said, JSON.stringify({ url: alias, html }));
  const added = await akin(['add', said, '--to', index, '--workers', '1', '--sweep', 'alias']);
  assert.equal(added.code, 0, added.stderr);
  const forgot = await akin(['forget', index, alias, '--workers', '1']);
  assert.match(forgot.stdout, /forgot 0 pages, 1 alias and 0 texts/);
  assert.equal((await akin(['related', index, page])).code, 0);
  assert.equal((await akin(['related', index, alias])).code, 4);
  assert.equal((await akin(['check', index])).code, 0);
});

test('a page is forgotten in a folder of shards, and in what waits beside the first of them', async () => {
  const shards = join(folder, 'shards');
  const workers = ['--workers', '1'];
  assert.equal((await akin(['split', index, '--shards', '2', '--to', shards, ...workers])).code, 0);
  assert.equal((await akin(['add', later, '--to', shards, '--sweep', 'shards', ...workers])).code, 0);
  const [first, second] = [0, 1].map((number) => join(shards, `shard-0000${number}-of-00002.akin`));
  const journal = PageJournal.open(`${first}.pages`);
  const entry = { isGone: false, digest: '', textDigest: '', datedMs: 0, atMs: 0 };
  journal.write((put) =>
    put({ ...entry, url: MULCH, record: JSON.stringify({ url: MULCH, text: 'waits' }) }),
  );
  journal.close();
  const refused = await akin(['forget', first!, MULCH]);
  assert.equal(refused.code, 2);
  assert.ok(
    refused.stderr.endsWith(`\nhint: give the folder of all its shards: ${shards}\n`),
    refused.stderr,
  );
  const { code, stdout, stderr } = await akin(['forget', shards, MULCH, ...workers]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /forgot 1 page, 0 aliases and 1 text/);
  for (const file of [first!, second!, `${first}.pages`])
    assert.ok(!readFileSync(file).includes(MULCH), file);
});

test('settings are those of the index unless others are given; a sweep without a name is counted on, and reports as JSON', async () => {
  const parametersOf = async () => {
    const { parameters } = JSON.parse((await akin(['show', index, '--json'])).stdout) as {
      parameters: Record<string, unknown>;
    };
    return parameters;
  };
  const before = await parametersOf();
  assert.equal(before['min_page_count'], 1);
  const again = ['add', later, '--to', index, '--workers', '1', '--set', 'window=3', '--json'];
  const { code, stdout, stderr } = await akin(again);
  assert.equal(code, 0, stderr);
  assert.match(JSON.parse(stdout).sweeps[0], /^sweep-\d$/);
  const after = await parametersOf();
  assert.deepEqual([after['window_words'], after['min_page_count'], after['max_page_share']], [3, 1, 1]);
});

test('names that are taken, options that cannot be had together and pages that are not there are refused', async () => {
  const several = await akin(['add', source, '--to', index, '--no-copies', '--copy-clusterings', '0.9']);
  assert.equal(several.code, 2);
  assert.match(several.stderr, /--copy-clusterings 0.9 has no effect with --no-copies/);
  const name = await akin(['add', source, '--to', index, '--sweep', 'spring']);
  assert.equal(name.code, 2);
  assert.match(name.stderr, /has a sweep spring already/);
  assert.match(name.stderr, /hint: .*--sweep NAME/);
  const unknown = await akin(['forget', index, 'https://nowhere.example/']);
  assert.equal(unknown.code, 4);
  assert.match(unknown.stderr, /nowhere\.example/);
});

test('of several sweeps at once those that are named are whole', async () => {
  const both = join(folder, 'both.akin');
  const [first, ...others] = GARDEN_JSONL.trimEnd().split('\n');
  const [one, two] = [join(folder, 'one.jsonl'), join(folder, 'two.jsonl')];
  writeFileSync(one, GARDEN_JSONL);
  writeFileSync(two, others.join('\n'));
  const order = ['index', one, two, '--sweep-per-input', '--to', both, '--workers', '1', '--json'];
  const goneAfter = async (...flags: string[]) => {
    const { code, stderr } = await akin([...order, ...flags]);
    assert.equal(code, 0, stderr);
    const { stdout } = await akin(['export', both, '--what', 'pages', '--format', 'json']);
    const gone = JSON.parse(stdout).filter(({ state }: { state: string }) => state === 'gone');
    return gone.map(({ url }: { url: string }) => url);
  };
  const missing = JSON.parse(first!).url;
  assert.deepEqual(await goneAfter('--whole'), [missing]);
  assert.deepEqual(await goneAfter('--whole-sweep', 'two'), [missing]);
  assert.deepEqual(await goneAfter('--whole-sweep', 'one'), []);
  const refused = [
    ['--whole-sweep', 'three'],
    ['--whole', '--whole-sweep', 'two'],
  ];
  for (const flags of refused) assert.equal((await akin([...order, ...flags])).code, 2, String(flags));
  const alone = ['index', one, '--to', both, '--whole-sweep', 'one'];
  assert.equal((await akin(alone)).code, 2);
});

longTest('sweeps that are named by their inputs have a name each', async () => {
  const pagesIn = (...names: string[]) => {
    const path = join(folder, ...names);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'a.html'), '<title>Tea</title><p>green tea and black tea');
    return path;
  };
  const [first, second, twin] = [pagesIn('v1.0'), pagesIn('v1.2'), pagesIn('old', 'v1.2')];
  const file = join(folder, 'v2.0.jsonl');
  writeFileSync(file, GARDEN_JSONL);
  const target = join(folder, 'versions.akin');
  const at = (path: string) => `https://tea.example/=${path}`;
  const order = ['index', at(first), at(second), file, '--sweep-per-input', '--to', target];
  const built = await akin([...order, '--workers', '1']);
  assert.equal(built.code, 0, built.stderr);
  const { sweeps } = JSON.parse((await akin(['show', target, '--json'])).stdout);
  assert.deepEqual(
    sweeps.map(({ name }: { name: string }) => name),
    ['v1.0', 'v1.2', 'v2.0'],
  );
  const refused = [
    [['add', at(second), '--sweep-per-input', '--to', target], /versions\.akin has a sweep v1\.2 already/],
    [
      [...order, at(twin)],
      /input \S+v1\.2 has a sweep v1\.2 already, and \S+old\/v1\.2 would be another one/,
    ],
    [[...order, '--sweep', 'spring'], /--sweep has no effect with --sweep-per-input/],
  ] as const;
  for (const [argv, message] of refused) {
    const { code, stderr } = await akin(argv);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
