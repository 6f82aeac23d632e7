import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { renderRelated } from '../../src/cli/answers/related-list.ts';
import { newFolder } from '../new-folder.ts';
import { GARDEN_JSONL, GARDEN_PAGES } from './garden.ts';
import { akin } from './terminal.ts';

const folder = newFolder('commands');
const source = join(folder, 'garden.jsonl');
const index = join(folder, 'garden.akin');
const SMALL = ['--max-df', '1', '--min-df', '1', '--workers', '1'];
const ROSES = 'https://garden.example/roses';

before(async () => {
  writeFileSync(source, `${GARDEN_JSONL}{"url": "not a page"}\n`);
  const { code, stdout, stderr } = await akin(['index', source, '--to', index, ...SMALL]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /6 pages/);
  assert.match(stdout, /skipped 1 /);
  assert.match(stderr, /skipped \(\w+\): .*garden\.jsonl/);
});
after(() => rmSync(folder, { recursive: true }));

test('the version is that of the package', async () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { code, stdout } = await akin(['--version']);
  assert.deepEqual([code, stdout], [0, `akin ${JSON.parse(text).version}\n`]);
});

test('index reports as JSON', async () => {
  const target = join(folder, 'again.akin');
  const { code, stdout, stderr } = await akin(['index', source, '--to', target, '--json', ...SMALL]);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  assert.equal(report.page_count, GARDEN_PAGES.length);
  assert.equal(report.target, target);
});

test('related prints a table, and the answer of the service as JSON', async () => {
  const table = await akin(['related', index, ROSES]);
  assert.equal(table.code, 0, table.stderr);
  assert.match(table.stdout, /^Growing roses \(https:\/\/garden\.example\/roses\)\n\n/);
  assert.match(table.stdout, /0\.\d{3} {2}How to prune +https:\/\/orchard\.example\/prune/);

  const json = await akin(['related', index, ROSES, '--json', '--same-site', 'exclude', '--explain']);
  const answer = JSON.parse(json.stdout);
  assert.equal(answer.related[0].url, 'https://orchard.example/prune');
  assert.ok(answer.related[0].why.terms.length > 0);
  assert.ok(answer.related.every((page: { same_site: boolean }) => !page.same_site));
});

test('a word that two pages share in title and text is named once, with both shares', async () => {
  const pages = join(folder, 'tea.jsonl');
  const page = (kind: string) => ({
    url: `https://tea.example/${kind}`,
    title: `${kind} tea`,
    text: `A cup of ${kind} tea.`,
  });
  const bread = { url: 'https://tea.example/bread', title: 'Bread', text: 'Rye makes bread.' };
  const all = [page('Green'), page('Black'), bread];
  writeFileSync(pages, all.map((one) => JSON.stringify(one)).join('\n'));
  const to = join(folder, 'tea.akin');
  assert.equal((await akin(['index', pages, '--to', to, '--max-df', '1', '--min-df', '1'])).code, 0);
  const asked = ['related', to, 'https://tea.example/Green', '--explain'];
  const [{ why }] = JSON.parse((await akin([...asked, '--json'])).stdout).related;
  const ofTea = why.terms.filter(({ term }: { term: string }) => term === 'tea');
  assert.equal(ofTea.length, 2);
  const percent = Math.round(100 * (ofTea[0].share + ofTea[1].share));
  const { stdout } = await akin(asked);
  assert.match(stdout, new RegExp(`tea ${percent} %`));
  assert.equal(stdout.match(/tea \d+ %/g)!.length, 1);
});

test('similar finds what is like several examples, files and pages', async () => {
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'when to prune a rose');
  const asked = ['similar', index, '--like', ROSES, notes, '--unlike', 'https://kitchen.example/bread'];
  const { code, stdout, stderr } = await akin([...asked, '--json', '--explain']);
  assert.equal(code, 0, stderr);
  const { url, related } = JSON.parse(stdout);
  assert.deepEqual([url, related[0].url], [null, 'https://orchard.example/prune']);
  assert.deepEqual([related[0].why.like.length, related[0].why.unlike.length], [2, 1]);
  const nowhere = await akin(['similar', index, '--like', ROSES, 'https://nowhere.example/']);
  assert.match(nowhere.stderr, /nowhere\.example\/ is not in the index/);
  for (const wrong of [[], [notes, '--like', ROSES]]) {
    const refused = await akin(['similar', index, ...wrong]);
    assert.deepEqual([refused.code, /give one document, or examples/.test(refused.stderr)], [2, true]);
  }
  const idle = await akin(['similar', index, '--like', ROSES, '--vectors', notes]);
  assert.deepEqual([idle.code, /--vectors goes with a document/.test(idle.stderr)], [2, true]);
});

test('similar finds what is near to a vector, and refuses a file that holds none', async () => {
  const pages = join(folder, 'vectors.jsonl');
  const lines = [
    [1, 0],
    [0.9, 0.1],
    [0, 1],
  ].map((v, i) => JSON.stringify({ url: `https://vectors.example/${i}`, text: `page ${i}`, vectors: { v } }));
  writeFileSync(pages, lines.join('\n'));
  const target = join(folder, 'vectors.akin');
  const built = await akin(['index', pages, '--to', target]);
  assert.match(built.stdout + built.stderr, /vectors v: on 3 of 3 pages, 2 numbers each/);
  assert.match(
    (await akin(['show', target])).stdout,
    /^vectors +v: 2 numbers each, on 3 of 3 pages; .* exact$/m,
  );
  const query = join(folder, 'query.json');
  writeFileSync(query, '{"v": [1, 0.02]}');
  const asked = ['similar', target, '--by', 'meaning', '--vectors', query];
  const { code, stdout, stderr } = await akin([...asked, '--json']);
  assert.equal(code, 0, stderr);
  const urls = JSON.parse(stdout).related.map(({ url }: { url: string }) => url);
  assert.deepEqual(urls, [
    'https://vectors.example/0',
    'https://vectors.example/1',
    'https://vectors.example/2',
  ]);
  const idle = await akin(['related', target, 'https://vectors.example/0', '--by', 'meaning', '--explain']);
  assert.deepEqual([idle.code, idle.stdout], [2, '']);
  assert.match(idle.stderr, /--explain .* with --by meaning it has no effect/);
  writeFileSync(query, '1, 2');
  assert.match((await akin(asked)).stderr, /query\.json is not valid JSON/);
});

test('similar finds the neighbors of a file and of standard input', async () => {
  const draft = join(folder, 'draft.html');
  writeFileSync(draft, '<title>Dough</title><p>Let the dough rise with yeast, then bake the bread.');
  const ofFile = await akin(['similar', index, draft, '--json']);
  assert.equal(ofFile.code, 0, ofFile.stderr);
  assert.match(JSON.parse(ofFile.stdout).related[0].url, /^https:\/\/kitchen\.example\//);
  // What stands before the first sign of a document makes no text of its markup.
  for (const bytes of [
    `\ufeff${readFileSync(draft)}`,
    Buffer.from(`\ufeff${readFileSync(draft)}`, 'utf16le'),
  ]) {
    const marked = join(folder, 'marked.html');
    writeFileSync(marked, bytes);
    assert.equal((await akin(['similar', index, marked, '--json'])).stdout, ofFile.stdout);
  }

  const ofInput = await akin(['similar', index, '-'], { stdin: 'when to prune a rose' });
  assert.equal(ofInput.code, 0, ofInput.stderr);
  assert.match(ofInput.stdout, /^terms: .*\n\nSimilarity .*\n +0\.\d{3} {2}(Growing roses|How to prune)/);
});

test('serve takes files or servers, and not both', async () => {
  for (const [argv, message] of [
    [['serve'], /there is nothing to serve/],
    [['serve', 'a.akin', '--shards', 'http://127.0.0.1:1'], /files and --shards are given/],
    [['serve', '--shards', 'ftp://127.0.0.1:1'], /http or https URLs/],
    [['serve', '--shards', 'http://127.0.0.1:1', '--feedback'], /--feedback is kept beside an index file/],
    [['split', 'a.akin', '--shards', '0', '--to', 'b'], /it takes 1 to 255/],
  ] as const) {
    const { code, stderr } = await akin(argv);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});

test('search finds pages by their words, and refuses what has none by its name', async () => {
  const { code, stdout, stderr } = await akin(['search', index, 'rich', 'soil', '--site', 'garden.example']);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^2 pages\n\nSoil and compost\n {2}https:\/\/garden\.example\/soil\n {2}Soil for roses/,
  );
  const whole = await akin(['search', index, '--json', '--limit', '1', '--', 'yeast', '-salt']);
  assert.deepEqual(
    JSON.parse(whole.stdout).results.map(({ url }: { url: string }) => url),
    [],
  );
  const none = await akin(['search', index, '++']);
  assert.deepEqual([none.code, none.stderr.split('\n')[0]], [2, 'akin: WORDS: has no word to look for']);
  const nowhere = await akin(['related', index, `${ROSES}x`]);
  assert.match(nowhere.stderr, /is not in the index; near to it are https:\/\/garden\.example\/roses/);
  assert.match(nowhere.stderr, /^hint: for a page that is not in the index: akin similar/m);
});

test('cluster shows the members nearest to the center first', async () => {
  const table = await akin(['cluster', index, ROSES]);
  assert.equal(table.code, 0, table.stderr);
  assert.match(table.stdout, /cluster \S+: /);
  const { cluster, members } = JSON.parse((await akin(['cluster', index, ROSES, '--json'])).stdout);
  assert.equal(members[0].similarity, 1);
  assert.equal(members.length, cluster.size);
});

test('show prints counts, stages, parameters and the size of each table', async () => {
  const { code, stdout, stderr } = await akin(['show', index]);
  assert.equal(code, 0, stderr);
  for (const part of [/pages +6\n/, /sweep +sweep-1: /, /^Stage .*Time/m, /^Parameter /m, /^page +\d/m]) {
    assert.match(stdout, part);
  }
  const card = JSON.parse((await akin(['show', index, '--json'])).stdout);
  const tableBytes = card.tables.reduce(
    (sum: number, { size_bytes: sizeBytes }: { size_bytes: number }) => sum + sizeBytes,
    0,
  );
  assert.ok(tableBytes > 0.8 * card.size_bytes && tableBytes <= card.size_bytes);
});

test('show tells how neighbors were searched, each value of nested parameters, and the time of writing', async () => {
  const target = join(folder, 'said.akin');
  const built = await akin([
    'index',
    source,
    '--to',
    target,
    '--pairs',
    '0.1',
    '--max-df',
    '1',
    '--min-df',
    '1',
    '--verbose',
  ]);
  assert.equal(built.code, 0, built.stderr);
  assert.match(
    built.stdout,
    /: 6 pages, [\d.]+ kB\nread 7 records, .*\ncompared by: content 86 %, title 7 %, out 4 %, in 4 %;/,
  );
  assert.match(
    built.stdout,
    /^neighbors: exact\npairs: \d+ of similarity 0\.1 or more, pages with equal bags as one: exact$/m,
  );
  const { stdout } = await akin(['show', target]);
  for (const line of [
    /^neighbors +exact$/m,
    /^pairs +\d+ of similarity 0\.1 or more, pages with equal bags as one: exact$/m,
  ]) {
    assert.match(stdout, line);
  }
  assert.match(stdout, /^recipe\.parts\.content +0\.857143$/m);
  assert.match(stdout, /^copy\.shingle_size +10$/m);
  assert.doesNotMatch(stdout, /[{}]|\.\.\./);
  assert.match(stdout, /^write +6 +\d+\.\d s .*\nall /m);
});

test('check is silent about a whole index and fails on a broken one with 5', async () => {
  const whole = await akin(['check', index]);
  assert.deepEqual([whole.code, whole.stdout], [0, `${index} is whole\n`]);

  const broken = join(folder, 'broken.akin');
  cpSync(index, broken);
  const bytes = readFileSync(broken);
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 9000);
  writeFileSync(broken, bytes);
  const outcome = await akin(['check', broken]);
  assert.equal(outcome.code, 5, outcome.stdout + outcome.stderr);
  assert.match(outcome.stderr, /^akin: .*\nhint: build the index again from its source/m);
  assert.doesNotMatch(outcome.stderr, /akin check/);
});

test('a quick check compares what was written alone', async () => {
  const whole = await akin(['check', index, '--quick']);
  assert.deepEqual([whole.code, whole.stdout], [0, `${index} is as it was written\n`]);

  const changed = join(folder, 'changed.akin');
  cpSync(index, changed);
  const db = new Database(changed);
  db.exec("UPDATE page SET title = 'Changed' WHERE id = 0");
  db.close();
  const { code, stdout } = await akin(['check', changed, '--quick', '--json']);
  assert.equal(code, 5);
  const { checked, faults } = JSON.parse(stdout);
  assert.deepEqual(checked, ['sqlite integrity', 'digests']);
  assert.equal(faults.length, 1);
  assert.match(faults[0], /^digests: table page has changed since it was written/);
});

test('each kind of failure has its exit code, one line that says what and one that says what to do', async () => {
  const failures: [number, string[], Record<string, string>?][] = [
    [2, ['related', index, ROSES, '--limit', '1000']],
    [2, ['related', index]],
    [2, ['nothing']],
    [2, ['help', 'nothing']],
    [2, ['index', source]],
    [2, ['serve', index, '--port', 'http']],
    [2, ['config'], { AKIN_MEMORY: '1K' }],
    [3, ['index', join(folder, 'nowhere.warc'), '--to', join(folder, 'x.akin')]],
    [3, ['show', join(folder, 'nowhere.akin')]],
    [3, ['similar', index, join(folder, 'nowhere.txt')]],
    [4, ['related', index, 'https://garden.example/nowhere']],
    [4, ['cluster', index, 'https://garden.example/nowhere']],
    [5, ['related', source, ROSES]],
  ];
  for (const [expected, argv, env] of failures) {
    const { code, stdout, stderr } = await akin(argv, env && { env });
    const call = `akin ${argv.join(' ')}: ${stderr}`;
    assert.equal(code, expected, call);
    assert.equal(stdout, '', call);
    assert.match(stderr, /^(akin: .+\n)+hint: .+\n$/, call);
    assert.doesNotMatch(stderr, /(GET|POST) \//, call);
  }
});

test('a flag that the service refuses is called by its name here', async () => {
  const refusals: [string[], RegExp][] = [
    [
      ['--same-site', 'maybe', '--max-per-site', '0'],
      /^akin: --same-site: must be .*; --max-per-site: must be/,
    ],
    [
      ['--by', 'colour'],
      /^akin: --by: must be one of topic, copy, own-features, meaning, cocitation, coupling, companion/,
    ],
    [['--clustering', '0.5'], /^akin: --clustering: is for the relation copy/],
  ];
  for (const [flags, message] of refusals) {
    const { code, stderr } = await akin(['related', index, ROSES, ...flags]);
    assert.equal(code, 2);
    assert.match(stderr, message);
    assert.match(stderr, /hint: akin help related lists what is allowed/);
  }
  assert.match((await akin(['related', index, 'roses'])).stderr, /^akin: URL: must be an absolute http/);
});

test('an input that ends early is indexed as far as it goes, and said to be damaged', async () => {
  const lines = GARDEN_JSONL.split('\n').filter((line) => line !== '');
  const first = gzipSync(`${lines[0]}\n${lines[1]}\n`);
  const cut = join(folder, 'cut.jsonl.gz');
  writeFileSync(cut, Buffer.concat([first, gzipSync(`${lines.slice(2).join('\n')}\n`).subarray(0, -9)]));
  const target = join(folder, 'cut.akin');
  const { code, stdout, stderr } = await akin(['index', cut, '--to', target, '--workers', '1']);
  assert.equal(code, 0);
  assert.match(stdout, /^skipped 1 truncated$/m);
  const warning = new RegExp(
    `\\nakin: warning: damaged input, pages may be missing: .*cut\\.jsonl\\.gz:\\d+: gzip member 2 from byte ${first.length} is cut off\\n$`,
  );
  assert.match(stderr, warning);
});

test('AKIN_DEBUG=1 shows where an error came from', async () => {
  const argv = ['show', join(folder, 'nowhere.akin')];
  assert.doesNotMatch((await akin(argv)).stderr, /\n {4}at /);
  assert.match((await akin(argv, { env: { AKIN_DEBUG: '1' } })).stderr, /\n {4}at .*\ncaused by /s);
});

test('every command has help with examples', async () => {
  const help = await akin(['--help']);
  const names = Array.from(help.stdout.matchAll(/^ {2}([a-z]+)(?= [[<]| {2})/gm), ([, name]) => name!);
  assert.equal(names.length, 29);
  for (const name of names.filter((one) => one !== 'help')) {
    const { code, stdout } = await akin([name, '--help']);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^Usage: akin ${name}\\b`));
    assert.match(stdout, new RegExp(`Examples?:\\n(.*\\n)*.*akin ${name}`), name);
    assert.equal((await akin(['help', name])).stdout, stdout);
  }
  for (const code of [0, 1, 2, 3, 4, 5, 6, 130])
    assert.match(help.stdout, new RegExp(`^ {2}${code} +\\S`, 'm'));
});

test('a list and a search count the values of fields', async () => {
  const pages = join(folder, 'facets.jsonl');
  const kinds = ['tea', 'tea', 'ware', 'tea', 'ware', undefined];
  const lines = kinds.map((kind, i) => {
    const words = ['petal kettle', 'kettle', 'kettle', 'kettle', 'kettle', 'petal'][i];
    const page = { url: `https://facets.example/${i}`, text: `steep ${words} number${i}` };
    return JSON.stringify({ ...page, fields: kind === undefined ? {} : { kind } });
  });
  writeFileSync(pages, lines.join('\n'));
  const target = join(folder, 'facets.akin');
  await akin(['index', pages, '--to', target, '--max-df', '1']);
  const found = await akin(['search', target, 'steep', '--facets', 'kind,site', '--group', 'none']);
  assert.match(found.stdout, /^6 pages\nkind: tea 3, ware 2, none 1\nsite: facets\.example 6\n\n/);
  const list = await akin([
    'related',
    target,
    'https://facets.example/0',
    '--facets',
    'kind',
    '--limit',
    '1',
  ]);
  assert.match(list.stdout, /\n\nkind: tea 2, ware 2, none 1\n$/);
});

test('fields that were asked for are columns of a list', () => {
  const item = { fetched: true, similarity: 0.5, measure: 'exact', same_site: true } as const;
  const related = [
    { ...item, url: 'https://a.example/1', title: 'One', fields: { price: 8, tags: ['a', 'b'] } },
    { ...item, url: 'https://a.example/2', title: 'Two' },
  ];
  const [head, first, second] = renderRelated({ related, empty_reason: null }).split('\n');
  assert.match(head!, /Similarity +Title +URL +price +tags$/);
  assert.match(first!, /One +https:\/\/a\.example\/1 +8 +a, b$/);
  assert.match(second!, /Two +https:\/\/a\.example\/2 *$/);
});
