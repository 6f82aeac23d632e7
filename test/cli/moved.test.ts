/** `akin moved --all`: redirects for web servers, and what is no redirect. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { redirectLines } from '../../src/cli/exports/redirect-map.ts';
import { prose } from '../indexer/pages.ts';
import { newFolder } from '../new-folder.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { GONE, NEW, OLD, writeSweepsIndex } from '../service/sweeps-index.ts';
import { akin } from './terminal.ts';

const folder = newFolder('moved-test');
const index = join(folder, 'sweeps.akin');
writeSweepsIndex(index);
after(() => rmSync(folder, { recursive: true }));

const row = (url: string, to: string) => ({
  url,
  moved_to: to,
  strength: 'now_at',
  share: 0.97,
  evidence: ['resemblance'],
  last_sweep: 'x\ny',
});
const line = (format: 'nginx' | 'apache' | 'netlify', url: string, to: string) =>
  redirectLines(format, 0.5).line(row(url, to), [], true).split('\n').slice(1).join('\n');

test('each server gets the redirects of lost pages in its own form, with the evidence above', async () => {
  const map = async (format: string, ...flags: string[]) => {
    const { code, stdout, stderr } = await akin(['moved', index, '--all', '--format', format, ...flags]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const nginx = await map('nginx');
  assert.match(
    nginx,
    /^# 92 % of its text in .*\n {2}"~\^garden\\.example\/old\$" "https:\/\/garden.example\/new";$/m,
  );
  assert.match(nginx, new RegExp(`^# ${GONE}: no redirect; its text is nowhere; last seen in sweep-1$`, 'm'));
  assert.match(
    await map('apache'),
    /^RewriteRule "\^\/\?old\$" "https:\/\/garden.example\/new" \[R=301,L,NE,QSD\]$/m,
  );
  assert.match(await map('netlify'), /^\/old https:\/\/garden.example\/new 301$/m);
  const csv = (await map('csv')).split('\r\n');
  assert.equal(csv.length, 3);
  assert.ok(csv[1]!.startsWith(`${OLD},On moving,not_seen_since,sweep-1,1,${NEW},`));
  assert.doesNotMatch(await map('nginx', '--at', '0.95'), /^ {2}"~/m, 'the text was edited more than that');
});

test('of shards all are asked together, in their folder; one alone says that it does not know', async () => {
  const [shards, web] = ['shards', 'web.akin'].map((name) => join(folder, name)) as [string, string];
  const url = (i: number) => `https://garden.example/${i}`;
  const sweeps = [1, 2].map((sweep) => {
    const path = join(folder, `${sweep}.jsonl`);
    const pages = Array.from({ length: 24 }, (_, i) => {
      const [isGone, at] = [sweep === 2 && i < 6, `2026-0${sweep}-01`];
      const page = { title: `On ${i}`, text: prose(i, 60, i), fetched_at: at };
      const moved = isGone && i < 5 ? [{ url: url(100 + i), ...page }] : [];
      return [isGone ? { url: url(i), status: 410, fetched_at: at } : { url: url(i), ...page }, ...moved];
    });
    writeFileSync(
      path,
      pages
        .flat()
        .map((page) => JSON.stringify(page))
        .join('\n'),
    );
    return path;
  });
  for (const words of [
    ['index', sweeps[0]!, '--to', web, '--workers', '1'],
    ['add', sweeps[1]!, '--to', web],
    ['split', web, '--shards', '2', '--to', shards, '--workers', '1'],
  ]) {
    const { code, stderr } = await akin(words);
    assert.equal(code, 0, stderr);
  }
  const map = await akin(['moved', shards, '--all', '--format', 'netlify']);
  for (const i of [0, 1, 2, 3, 4]) assert.ok(map.stdout.includes(`/${i} ${url(100 + i)} 301\n`), map.stdout);
  for (const what of [
    [url(1), '--json'],
    [url(5), '--json'],
    ['--all', '--format', 'csv'],
  ]) {
    const [whole, parts] = await Promise.all([web, shards].map((path) => akin(['moved', path, ...what])));
    const shown = (text: string) => text.replace(/"generation": "\w+"/, '');
    assert.deepEqual([parts!.code, shown(parts!.stdout)], [0, shown(whole!.stdout)], parts!.stderr);
    const alone = await Promise.all(
      [0, 1].map((i) => akin(['moved', join(shards, `shard-0000${i}-of-00002.akin`), ...what])),
    );
    assert.ok(alone.every(({ code }) => code !== 0));
    assert.ok(alone.some(({ stderr }) => /alone does not know where a text is now; ask all/.test(stderr)));
  }
  const none = await akin(['moved', folder, OLD]);
  assert.match(none.stderr, /has no shard of an index/);
});

test('what was not looked at is said of every lost page, wherever it is listed', async () => {
  const url = (i: number) => `https://garden.example/same/${i}`;
  const sweep = (name: string, pages: readonly object[]) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, pages.map((page) => JSON.stringify(page)).join('\n'));
    return path;
  };
  // More pages of one text than are looked at.
  const text = prose(7, 80, 7);
  const pages = Array.from({ length: 310 }, (_, i) => ({ url: url(i), text, fetched_at: '2026-01-01' }));
  const many = join(folder, 'many.akin');
  const gone = { url: url(0), status: 410, fetched_at: '2026-02-01' };
  for (const words of [
    ['index', sweep('first', pages), '--to', many],
    ['add', sweep('second', [gone]), '--to', many],
  ]) {
    const { code, stderr } = await akin(words);
    assert.equal(code, 0, stderr);
  }
  const app = await fixtureApp(many);
  const lost = (await app.inject('/lost')).json().pages;
  const [row] = (await app.inject('/export/moved')).body.trim().split('\n');
  const moved = (await app.inject(pathOf('/moved', { url: url(0) }))).json();
  const figures = [moved, ...lost, JSON.parse(row!)].map(({ complete }) => complete);
  assert.deepEqual(figures, [false, false, false]);
  const map = await akin(['moved', many, '--all', '--format', 'nginx']);
  assert.match(map.stdout, /^# 100 % of its text in .*; some pages were not looked at$/m);
});

test('a redirect to a page that has nothing of the text does not hide where the text is', async () => {
  const url = (path: string) => `https://garden.example/${path}`;
  const page = (path: string, seed: number) => ({ url: url(path), title: path, text: prose(seed, 80, seed) });
  const others = [page('', 1), ...[2, 3, 4, 5].map((seed) => page(`p${seed}`, seed))];
  const sweep = (name: string, day: string, pages: readonly object[]) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, pages.map((one) => JSON.stringify({ ...one, fetched_at: day })).join('\n'));
    return path;
  };
  const leads = (path: string, to: string) => ({ url: url(path), status: 301, location: url(to) });
  const inputs = [
    sweep('leads-1', '2026-01-01', [...others, page('guide', 8), page('tools', 9)]),
    sweep('leads-2', '2026-02-01', [
      ...others,
      // To the first page, where the text is elsewhere; and to where the text is, beside a copy.
      ...[leads('guide', ''), { ...page('guide', 8), url: url('book/guide') }],
      ...[leads('tools', 'shop/tools'), { ...page('tools', 9), url: url('shop/tools') }],
      { ...page('tools', 9), url: url('a/tools') },
    ]),
  ];
  const target = join(folder, 'leads.akin');
  const built = await akin(['index', ...inputs, '--sweep-per-input', '--to', target, '--max-df', '1']);
  assert.equal(built.code, 0, built.stderr);
  const map = await akin(['moved', target, '--all', '--format', 'netlify']);
  const redirects = map.stdout.split('\n').filter((one) => one.startsWith('/'));
  assert.deepEqual(redirects, [`/guide ${url('book/guide')} 301`, `/tools ${url('shop/tools')} 301`]);
  const app = await fixtureApp(target);
  const { candidates } = (await app.inject(pathOf('/moved', { url: url('guide') }))).json();
  assert.deepEqual(
    candidates.map((one: { url: string; strength: string }) => [one.url, one.strength]),
    [
      [url('book/guide'), 'now_at'],
      [url(''), 'perhaps'],
    ],
  );
});

test('no redirect leads away a page that is there at the same host and path, by another scheme or port', async () => {
  const host = 'garden.example';
  const page = (url: string, seed: number) => ({ url, title: url, text: prose(seed, 80, seed) });
  const sweep = (name: string, day: string, pages: readonly object[]) => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, pages.map((one) => JSON.stringify({ ...one, fetched_at: day })).join('\n'));
    return path;
  };
  const gone = (url: string) => ({ url, status: 410 });
  const [guide, tools, seeds] = [
    `http://${host}/guide?a=1`,
    `http://${host}:8080/tools`,
    `http://${host}/seeds`,
  ];
  const secure = (path: string) => `https://${host}/${path}`;
  const inputs = [
    sweep('schemes-1', '2026-01-01', [
      ...[page(guide, 1), page(tools, 2), page(seeds, 3), page(secure('seeds'), 4)],
      ...[5, 6, 7].map((seed) => page(secure(`p${seed}`), seed)),
    ]),
    sweep('schemes-2', '2026-02-01', [
      ...[guide, tools, seeds, secure('seeds')].map(gone),
      // Their texts moved, and other texts stand at their paths by https.
      ...[page(secure('new-guide'), 1), page(secure('new-tools'), 2), page(secure('new-seeds'), 3)],
      ...[page(secure('guide?a=1'), 8), page(secure('tools'), 9)],
    ]),
  ];
  const target = join(folder, 'schemes.akin');
  const built = await akin(['index', ...inputs, '--sweep-per-input', '--to', target, '--max-df', '1']);
  assert.equal(built.code, 0, built.stderr);
  const map = async (format: string) => (await akin(['moved', target, '--all', '--format', format])).stdout;
  const to = (text: string) =>
    text.split('\n').flatMap((one) => (one.startsWith('#') ? [] : (/new-\w+/.exec(one) ?? [])));
  assert.deepEqual(to(await map('csv')), ['new-guide', 'new-seeds', 'new-tools'], 'by URLs');
  for (const format of ['nginx', 'apache', 'netlify']) {
    const text = await map(format);
    assert.deepEqual(to(text), ['new-seeds'], text);
    for (const [url, place, other] of [
      [guide, secure('new-guide'), secure('guide?a=1')],
      [tools, secure('new-tools'), secure('tools')],
    ] as const)
      assert.ok(text.includes(`\n# ${url}: to ${place}, but ${other} is there; 100 % of its text in `), text);
  }
});

test('one page or all: what goes with the other is refused', async () => {
  for (const [flags, said] of [
    [[OLD, '--all', '--format', 'nginx'], /a URL and --all/],
    [[OLD, '--to', join(folder, 'one.conf')], /a URL and --all/],
    [[OLD, '--at', '.9'], /a URL and --all/],
    [['--all', '--format', 'csv', '--json'], /--json has no effect with --all/],
    [['--all', '--format', 'csv', '--min-containment', '.1'], /--min-containment has no effect/],
  ] as const) {
    const { code, stdout, stderr } = await akin(['moved', index, ...flags]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, said);
  }
});

test('signs of URLs that a configuration would read are written so that it does not', () => {
  const url = 'https://e.example/a"b/%C3%A9.x?q=1&r=(2)\\';
  assert.equal(
    line('nginx', url, 'https://e.example/$1'),
    '  "~^e\\.example/a%22b/%C3%A9\\.x\\?q=1&r=\\(2\\)\\x5c$" "https://e.example/%241";\n',
  );
  assert.equal(
    line('apache', url, 'https://e.example/%20$1'),
    [
      'RewriteCond %{HTTP_HOST} "^e\\.example(:[0-9]+)?$" [NC]',
      'RewriteCond %{QUERY_STRING} "^q=1&r=\\(2\\)\\x5c$"',
      'RewriteRule "^/?a\\x22b/\\xC3\\xA9\\.x$" "https://e.example/\\%20\\$1" [R=301,L,NE,QSD]',
      '',
    ].join('\n'),
  );
  assert.equal(line('netlify', url, 'https://e.example/b'), '');
  for (const format of ['nginx', 'apache', 'netlify'] as const) {
    // To the same page by https: whichever way it is asked for, it would be led there again.
    assert.equal(line(format, 'http://e.example/a?b', 'https://e.example/a?b'), '', format);
    assert.notEqual(line(format, 'http://e.example/a', 'https://www.e.example/a'), '', format);
  }
  assert.match(
    redirectLines('nginx', 0.5).line(row('http://e.example/a', 'https://e.example/a'), [], true),
    /^# http:\/\/e\.example\/a: to https:\/\/e\.example\/a, which this server cannot match;/,
  );
  assert.doesNotMatch(
    redirectLines('nginx', 0.5).line(row(url, url), [], true),
    /^y/m,
    'a name stays in its comment',
  );
});

test('without a URL it says what is missing', async () => {
  const { code, stderr } = await akin(['moved', index]);
  assert.equal(code, 2);
  assert.match(stderr, /needs a URL, or --all and --format/);
});

test('an export goes to a file in the form of its name, or not at all', async () => {
  const target = join(folder, 'pages.csv.gz');
  const { code, stderr } = await akin(['export', index, '--what', 'pages', '--to', target]);
  assert.deepEqual([code, stderr.trimEnd().split('\n').at(-1)], [0, 'akin: 9 rows']);
  assert.match(gunzipSync(readFileSync(target)).toString(), /^url,title,site,.*\r\nhttps:/);
  const lines = join(folder, 'pages.jsonl');
  assert.equal((await akin(['export', index, '--what', 'pages', '--to', lines])).code, 0);
  assert.equal(JSON.parse(readFileSync(lines, 'utf8').split('\n')[0]!).site, 'garden.example');
  const { stdout } = await akin(['export', index, '--what', 'records']);
  assert.equal(typeof JSON.parse(stdout.split('\n')[0]!).text, 'string');
  for (const [flags, code, said] of [
    [['--what', 'pages', '--explain'], 2, /--explain has no effect on pages/],
    [['--what', 'pages', '--workers', '2'], 2, /--workers has no effect on pages/],
    [['--what', 'related', '--limit', '0'], 2, /--limit: must be an integer from 1 to 100/],
    [['--what', 'pages', '--format', 'tsv', '--to', index], 2, /is an input of this command/],
    [['--what', 'pages', '--to', join(folder, 'no', 'x.tsv')], 3, /does not exist/],
    [['--what', 'nothing'], 2, /Allowed choices/],
  ] as const) {
    const refused = await akin(['export', index, ...flags]);
    assert.equal(refused.code, code, refused.stderr);
    assert.match(refused.stderr, said);
  }
});

test('the evidence says the whole percents of a share, and no more than it has', () => {
  for (const [share, said] of [
    [0.29, /^# 29 % of its text/],
    [0.58, /^# 58 % of its text/],
    [0.579999, /^# 57 % of its text/],
    [1, /^# 100 % of its text/],
  ] as const) {
    const moved = { ...row('https://a.example/old', 'https://a.example/new'), share };
    assert.match(redirectLines('nginx', 0.1).line(moved, [], true), said);
  }
});

test('a full disk is named, and leaves no half file', { skip: process.platform !== 'linux' }, async () => {
  const { writeOut } = await import('../../src/cli/exports/output.ts');
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  async function* text() {
    yield 'some';
    throw full;
  }
  const target = join(folder, 'full.tsv');
  await assert.rejects(writeOut({} as never, target, text()), { code: 'AKIN_ERR_DISK' });
  assert.throws(() => readFileSync(target), { code: 'ENOENT' });
});
