import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { longTest } from '../long-test.ts';
import { httpResponse, warcRecord } from '../sources/archive-bytes.ts';
import { build, buildPages, DEFAULTS, input, noting, pageOf, temporaryFolder, urlsOf } from './build.ts';
import { document, gzip, prose, type TestPage, toJsonl, toWarc, villagePages } from './pages.ts';

const A = 'https://a.example/';
const GROUND: TestPage[] = [1, 2, 3].map((i) => ({ url: `${A}${i}`, html: document(`Page ${i}`, prose(i)) }));

function fileOf(t: TestContext, name: string, bytes: string | Uint8Array): string {
  const path = join(temporaryFolder(t), name);
  writeFileSync(path, bytes);
  return path;
}

test('an input without a page is refused, and says what it was made of', async (t) => {
  const image = warcRecord('response', `${A}x.png`, httpResponse('....', { 'Content-Type': 'image/png' }));
  const cases: [name: string, bytes: string | Buffer, message: RegExp][] = [
    ['empty.jsonl', '', /holds no page|is empty/],
    ['blank.jsonl', '\n\n', /holds no page/],
    ['warcinfo.warc', warcRecord('warcinfo', null, 'software: x\r\n'), /holds no page/],
    ['images.warc', Buffer.concat([image, image]), /holds no page: records passed over: 2 \(media_type 2\)/],
    [
      'shut.jsonl',
      toJsonl([{ url: A, html: document('x', 'x', '<meta name=robots content=noindex>') }]),
      /noindex 1/,
    ],
    ['moved.jsonl', toJsonl([{ url: A, status: 301, location: '/2' }]), /holds no page/],
  ];
  for (const [name, bytes, message] of cases) {
    const inputs = [input(fileOf(t, name, bytes))];
    await assert.rejects(
      build(t, { inputs }),
      { name: 'InputError', code: 'AKIN_ERR_INPUT_EMPTY', message },
      name,
    );
  }
});

test('where each record is passed over for one reason, the hint is of that', async (t) => {
  const shut = toJsonl([{ url: A, html: document('x', 'x', '<meta name=robots content=noindex>') }]);
  const exported =
    '{"_id": "7", "_source": {"url": "https://a.example/7", "text": "roses"}}\n{"text": "roses"}\n';
  const hintOf = async (text: string) => {
    const { listener, noted } = noting();
    const given = fileOf(t, 'given.jsonl', text);
    const built = buildIndex({ ...DEFAULTS, inputs: [input(given)], target: `${given}.akin` }, listener);
    const hint = await built.then(
      () => 'built',
      (error) => error.hint,
    );
    return { hint, details: noted.faults.map(({ detail }) => detail) };
  };
  assert.match((await hintOf(shut)).hint, /^these pages ask not to be indexed/);
  const { hint, details } = await hintOf(exported);
  assert.match(hint, /^a line of JSONL is \{"url": /);
  assert.match(details[0]!, /^url: expected a string, got nothing; what stands in _source is not read/);
  assert.equal(details[1], 'url: expected a string, got nothing');
  assert.match((await hintOf(`${shut}{"text": "roses"}\n`)).hint, /^give WARC files/);
});

test('a missing input, and one that is no source at all, end the build with the reason', async (t) => {
  const missing = join(temporaryFolder(t), 'nothing.warc');
  await assert.rejects(build(t, { inputs: [input(missing)] }), {
    name: 'InputError',
    code: 'AKIN_ERR_INPUT_MISSING',
  });
  const picture = fileOf(t, 'a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));
  await assert.rejects(build(t, { inputs: [input(picture)] }), { name: 'InputError' });
});

test('a good input before a missing one does not leave a build hanging', async (t) => {
  const good = fileOf(t, 'good.jsonl', toJsonl(villagePages(200)));
  const missing = join(temporaryFolder(t), 'nothing.warc');
  await assert.rejects(build(t, { inputs: [input(good), input(missing)] }), {
    code: 'AKIN_ERR_INPUT_MISSING',
  });
});

test('a target that is a folder or a file of another kind is refused and untouched', async (t) => {
  const inputs = [input(fileOf(t, 'pages.jsonl', toJsonl(GROUND)))];
  const folder = join(temporaryFolder(t), 'taken');
  mkdirSync(folder);
  await assert.rejects(build(t, { inputs, target: folder }), {
    code: 'AKIN_ERR_OPTION',
    message: /is a folder/,
  });
  await assert.rejects(build(t, { inputs, target: '/dev/null' }), {
    code: 'AKIN_ERR_OPTION',
    message: /is a pipe or a device/,
  });
  const thesis = fileOf(t, 'thesis.txt', 'ten years of work');
  await assert.rejects(build(t, { inputs, target: thesis }), {
    code: 'AKIN_ERR_OPTION',
    message: /not an akin index/,
  });
  assert.equal(readFileSync(thesis, 'utf8'), 'ten years of work');
  await assert.rejects(build(t, { inputs, target: join(thesis, 'a.akin') }), { code: 'AKIN_ERR_OPTION' });
});

test('one page, a page of one word and two identical pages make valid indexes', async (t) => {
  const one = await buildPages(t, [{ url: A, html: document('Alone', prose(1)) }]);
  assert.deepEqual([one.report.pageCount, one.report.pairCount, one.report.clusterCount], [1, 0, 1]);
  const word = await buildPages(t, [...GROUND, { url: `${A}word`, html: document('', 'rose') }]);
  assert.equal(pageOf(word.reader, `${A}word`).wordCount, 1);
  assert.ok(word.reader.bag(1, word.reader.findPage(`${A}word`)).sum <= 255);
  const twins = [`${A}x`, `${A}y`].map((url) => ({ url, html: document('Twin', prose(9)) }));
  const two = await buildPages(t, [...GROUND, ...twins]);
  const near = two.reader.neighbors(1, two.reader.findPage(`${A}x`));
  assert.equal(near.ids[0], two.reader.findPage(`${A}y`));
  assert.equal(near.shared[0], near.total[0]);
});

test('pages without any usable word still make an index that answers', async (t) => {
  const pages = ['the', '12 345', '', '???'].map((text, i) => ({
    url: `${A}${i}`,
    html: document('', `<p>${text}</p>`),
  }));
  for (const profile of ['akin', 'haveliwala2000'] as const) {
    const { reader, report } = await buildPages(t, pages, { profile, parts: { content: 1 } });
    assert.deepEqual([report.pageCount, report.pairCount, report.clusterCount], [4, 0, 4]);
    assert.equal(reader.neighbors(1, 0).ids.length, 0);
    assert.deepEqual(reader.clusters.ofPage(1, 3)[0]?.size, 1);
    assert.equal(reader.clusters.ofPage(1, 3)[0]?.label, '');
  }
});

test('eleven hundred links on a page are as many out-links', async (t) => {
  const links = Array.from(
    { length: 1100 },
    (_, i) => `<a href="/l/${i}">${i % 2 ? 'rose' : 'keel'}</a>`,
  ).join(' ');
  const { reader } = await buildPages(t, [...GROUND, { url: `${A}hub`, html: document('Hub', links) }]);
  assert.equal(pageOf(reader, `${A}hub`).outLinkCount, 1100);
  assert.equal(reader.links(reader.findPage(`${A}hub`)).length, 1100);
});

/** Builds from an archive with a page of so many megabytes, where one is allowed. */
async function buildWithPageOf(t: TestContext, megabytes: number): Promise<void> {
  const path = join(temporaryFolder(t), 'big.warc');
  const size = megabytes << 20;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n`;
  const record = warcRecord('response', `${A}big`, head, { 'Content-Length': String(head.length + size) });
  writeFileSync(path, record.subarray(0, -4));
  const megabyte = Buffer.alloc(1 << 20, 'rose keel ');
  for (let i = 0; i < megabytes; i++) writeFileSync(path, megabyte, { flag: 'a' });
  writeFileSync(path, Buffer.concat([Buffer.from('\r\n\r\n'), toWarc(GROUND)]), { flag: 'a' });
  const { report, noted } = await build(t, { inputs: [input(path)] });
  assert.deepEqual(report.skipped, { too_large: 1 });
  assert.equal(noted.faults[0]!.url, `${A}big`);
  assert.equal(report.fetchedPageCount, 3);
}

test('a page above the limit is passed over and named', (t) => buildWithPageOf(t, 3));

longTest('a page above the limit is never held', async (t) => {
  const before = process.memoryUsage().rss;
  await buildWithPageOf(t, 200);
  assert.ok(process.memoryUsage().rss - before < 150 << 20, 'the page is not held');
});

test('binary served as HTML is passed over; a wrong charset is read by what the bytes say', async (t) => {
  const binary = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256));
  const latin = Buffer.from(
    document('Caf\u00e9', `cr\u00e8me br\u00fbl\u00e9e ${prose(5)}`).replace('<meta charset="utf-8">', ''),
    'latin1',
  );
  const records = [
    toWarc(GROUND),
    warcRecord('response', `${A}binary`, httpResponse(binary)),
    warcRecord(
      'response',
      `${A}latin`,
      httpResponse(latin, { 'Content-Type': 'text/html; charset=windows-1252' }),
    ),
    warcRecord(
      'response',
      `${A}odd`,
      httpResponse(latin, { 'Content-Type': 'text/html; charset=no-such-thing' }),
    ),
  ];
  const { report, reader } = await build(t, {
    inputs: [input(fileOf(t, 'mixed.warc', Buffer.concat(records)))],
  });
  assert.deepEqual(report.skipped, { binary: 1 });
  assert.equal(pageOf(reader, `${A}latin`).title, 'Caf\u00e9');
  assert.equal(pageOf(reader, `${A}odd`).title, 'Caf\u00e9');
});

test('a title that a line gives is one tidied line', async (t) => {
  const rows = [
    { url: `${A}soft`, html: '<p>words', title: '  Donau\u00addampf\n\tschiff ' },
    { url: `${A}long`, html: '<p>words', title: 'rose '.repeat(1000) },
  ];
  const { reader } = await build(t, {
    inputs: [input(fileOf(t, 'titles.jsonl', rows.map((row) => JSON.stringify(row)).join('\n')))],
  });
  assert.equal(pageOf(reader, `${A}soft`).title, 'Donaudampf schiff');
  assert.equal(pageOf(reader, `${A}long`).title, 'rose '.repeat(100).trimEnd());
});

test('an archive cut in half gives its whole records and says that it is cut', async (t) => {
  const whole = gzip(toWarc(villagePages(10)));
  const cut = fileOf(t, 'cut.warc.gz', whole.subarray(0, whole.length / 2));
  const { report, noted } = await build(t, { inputs: [input(cut)] });
  assert.ok(report.fetchedPageCount > 5 && report.fetchedPageCount < 40);
  assert.equal(report.skipped.truncated, 1);
  assert.equal(noted.faults.at(-1)!.reason, 'truncated');
});

test('lines and URLs that make no sense are counted, named and passed over', async (t) => {
  const lines = [
    'not json',
    JSON.stringify({ url: 'ftp://a.example/x', html: 'x' }),
    JSON.stringify({ url: 'not a url', html: 'x' }),
    JSON.stringify({ html: 'x' }),
    JSON.stringify({ url: `${A}loop`, status: 302, location: '/loop' }),
  ];
  const path = fileOf(t, 'odd.jsonl', `${lines.join('\n')}\n${toJsonl(GROUND)}`);
  const { report, reader, noted } = await build(t, { inputs: [input(path)] });
  assert.equal(report.recordCount, 8);
  assert.equal(noted.faults.length, 5);
  assert.deepEqual(report.skipped, { unreadable: 2, url: 2, status: 1 });
  assert.deepEqual(
    urlsOf(reader),
    GROUND.map((page) => page.url),
  );
});

test('a target below a folder in which none can be made is refused, not waited for', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux has /proc');
  const options = { ...DEFAULTS, inputs: [input(import.meta.filename)], target: '/proc/akin-test.akin' };
  await assert.rejects(buildIndex(options, noting().listener), { code: 'AKIN_ERR_OPTION' });
});

test('an input that the disk does not give is named', async (t) => {
  const unreadable = '/proc/self/mem';
  if (!existsSync(unreadable)) return t.skip('there is no file that cannot be read');
  await assert.rejects(build(t, { inputs: [input(unreadable)] }), {
    code: 'AKIN_ERR_INPUT_UNREADABLE',
    message: /\/proc\/self\/mem cannot be read: EIO/,
  });
});

test('what cannot be read in a folder is counted and ends no build', async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, 'a.html'), document('A', prose(1)));
  symlinkSync('self.html', join(root, 'self.html'));
  symlinkSync('/etc/passwd', join(root, 'passwd.html'));
  const { report, reader } = await build(t, { inputs: [input(root, A)] });
  assert.deepEqual(urlsOf(reader), [`${A}a.html`]);
  assert.equal(report.skipped.unreadable, 2);
});

test('members of JSON lines that are not read are counted by name; a URL that is too long says so', async (t) => {
  const rows = GROUND.map((page) => JSON.stringify({ ...page, tittle: 'x', author: 'y' }));
  const long = JSON.stringify({ url: `${A}${'x'.repeat(3000)}`, html: '<p>x' });
  const lines = `${rows.join('\n')}\n${JSON.stringify({ ...GROUND[0], url: `${A}4`, tittle: 'x' })}\n${long}\n`;
  const { report, noted } = await build(t, { inputs: [input(fileOf(t, 'a.jsonl', lines))] });
  assert.deepEqual(report.unknownMembers, { tittle: 4, author: 3 });
  assert.match(
    noted.faults.map(({ detail }) => detail).join(),
    /a URL of 3018 characters; 2048 are the most/,
  );
});

test('in a folder /post leads to /post/, unless it is a page itself', async (t) => {
  const folder = temporaryFolder(t);
  for (const [path, n] of [
    ['index.html', 1],
    ['post/index.html', 2],
    ['own/index.html', 3],
    ['own.html', 4],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), document(`Page ${n}`, `${prose(n)} <a href="/post">a post</a>`));
  }
  const inputs = [{ path: folder, baseUrl: A, format: null, cleanUrls: true }];
  const { reader } = await build(t, { inputs });
  assert.deepEqual(urlsOf(reader), [A, `${A}own`, `${A}own/`, `${A}post/`]);
  assert.equal(pageOf(reader, `${A}post`).url, `${A}post/`);
});
