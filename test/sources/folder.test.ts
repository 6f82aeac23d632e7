import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { readFile, temporaryFolder, textOf } from './archive-bytes.ts';

function plant(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

test('pages come in the byte order of their paths, with escaped URLs, media types and file dates', async (t) => {
  const root = temporaryFolder(t);
  plant(root, {
    'a/index.html': 'ai',
    'a.html': 'a',
    'a/Z.HTM': 'az',
    'ä ö/100%#1?.xhtml': 'x',
    'b/(c)~;v=1.txt': 't',
    'b/style.css': 'no page',
    '.git/x.html': 'hidden',
    'z.shtml': 'z',
  });
  utimesSync(join(root, 'a.html'), 1_700_000_000, 1_700_000_000);
  const { captures, faults } = await readFile(root, { baseUrl: 'https://example.org/docs' });
  assert.deepEqual(
    faults.map(({ reason, extension }) => [reason, extension]),
    [['media_type', '.css']],
  );
  assert.deepEqual(
    captures.map((capture) => [
      capture.url.slice('https://example.org/docs/'.length),
      capture.mediaType,
      textOf(capture),
    ]),
    [
      ['a.html', 'text/html', 'a'],
      ['a/Z.HTM', 'text/html', 'az'],
      ['a/', 'text/html', 'ai'],
      ['b/(c)~;v=1.txt', 'text/plain', 't'],
      ['z.shtml', 'text/html', 'z'],
      ['%C3%A4%20%C3%B6/100%25%231%3F.xhtml', 'application/xhtml+xml', 'x'],
    ],
  );
  assert.equal(captures[0]?.fetchedAtMs, 1_700_000_000_000);
  assert.ok(captures.every((capture) => capture.charset === null && capture.status === 200));
});

test('what a site says to robots is no page', async (t) => {
  const root = temporaryFolder(t);
  plant(root, { 'robots.txt': 'User-agent: *', 'a/robots.txt': 'about robots', 'llms.txt': 'words' });
  const { captures, faults } = await readFile(root, { baseUrl: 'https://example.org' });
  assert.deepEqual(
    faults.map(({ reason, detail }) => [reason, detail]),
    [['media_type', 'rules for robots']],
  );
  assert.deepEqual(
    captures.map(({ url }) => url),
    ['https://example.org/a/robots.txt', 'https://example.org/llms.txt'],
  );
});

test('error pages of a site are no pages', async (t) => {
  const root = temporaryFolder(t);
  const errors = ['404.html', '50x.html', 'de/404.html', 'pt-br/404/index.html'];
  const pages = ['blog/404.html', 'error.html', 'http/410.html'];
  plant(root, Object.fromEntries([...errors, ...pages].map((path) => [path, 'words'])));
  const { captures, faults } = await readFile(root, { baseUrl: 'https://example.org' });
  assert.deepEqual(
    faults.map(({ reason }) => reason),
    errors.map(() => 'status'),
  );
  assert.deepEqual(
    captures.map(({ url }) => url),
    pages.map((path) => `https://example.org/${path}`),
  );
});

test('the base https:// takes the first folder for the host', async (t) => {
  const root = temporaryFolder(t);
  plant(root, { 'www.example.org/x.html': 'x', 'stray.html': 's' });
  const { captures, faults } = await readFile(root, { baseUrl: 'https://' });
  assert.deepEqual(
    captures.map((capture) => capture.url),
    ['https://www.example.org/x.html'],
  );
  assert.deepEqual(
    faults.map((fault) => fault.reason),
    ['url'],
  );
});

test('a folder without a usable base URL says how to give one', async (t) => {
  const root = temporaryFolder(t);
  for (const baseUrl of [null, '', 'example.org', 'ftp://example.org/', 'https://example.org/?x']) {
    await assert.rejects(readFile(root, { baseUrl }), (error: Error & { code: string; hint: string }) => {
      assert.equal(error.code, 'AKIN_ERR_OPTION');
      assert.match(error.hint, /--base/);
      return true;
    });
  }
});

test('links to folders are followed once and never into themselves; dead links are faults', async (t) => {
  const root = temporaryFolder(t);
  plant(root, { 'a/x.html': 'x', 'b/y.html': 'y' });
  symlinkSync(root, join(root, 'a/loop'));
  symlinkSync(join(root, 'b'), join(root, 'a/to-b'));
  symlinkSync(join(root, 'a'), join(root, 'b/to-a'));
  symlinkSync(join(root, 'nowhere'), join(root, 'b/dead.html'));
  const { captures, faults } = await readFile(root, { baseUrl: 'https://e.org/' });
  const paths = captures.map((capture) => capture.url.slice('https://e.org/'.length));
  assert.deepEqual(paths, ['a/to-b/y.html', 'a/x.html', 'b/to-a/x.html', 'b/y.html']);
  assert.ok(
    faults.length >= 1 &&
      faults.every((fault) => fault.reason === 'unreadable' && /dead\.html/.test(fault.where)),
  );
});

test('files above the limit are not opened, empty ones are faults', async (t) => {
  const root = temporaryFolder(t);
  plant(root, { 'empty.html': '', 'huge.html': '', 'ok.html': 'ok' });
  truncateSync(join(root, 'huge.html'), 50_000_000_000);
  const { captures, faults } = await readFile(root, { baseUrl: 'https://e.org/' });
  assert.deepEqual(captures.map(textOf), ['ok']);
  assert.deepEqual(
    faults.map((fault) => fault.reason),
    ['empty', 'too_large'],
  );
});

test('index.html is the page of its folder, and with clean URLs a page has no extension', async (t) => {
  const root = temporaryFolder(t);
  const names = ['index.html', 'about/INDEX.HTM', 'about/me.html', 'my-index.html', 'notes.txt', 'x.shtml'];
  plant(root, Object.fromEntries(names.map((name) => [name, 'x'])));
  const shownUrls = async (cleanUrls: boolean) => {
    const { captures } = await readFile(root, { baseUrl: 'https://e.org/', cleanUrls });
    const place = (url: string | null) => url?.slice('https://e.org/'.length) ?? null;
    return Object.fromEntries(captures.map(({ url, fileUrl }) => [place(url), place(fileUrl)]));
  };
  const asServed = { '': 'index.html', 'about/': 'about/INDEX.HTM', 'notes.txt': null, 'x.shtml': null };
  assert.deepEqual(await shownUrls(false), { ...asServed, 'about/me.html': null, 'my-index.html': null });
  assert.deepEqual(await shownUrls(true), {
    ...asServed,
    'about/me': 'about/me.html',
    'my-index': 'my-index.html',
  });
});

test('files that are no pages are faults by their extensions, those whose names begin with a dot are none', async (t) => {
  const root = temporaryFolder(t);
  const names = ['a.html', 'b/c.MD', 'd.tar.gz', 'LICENSE', '.hidden.md', 'e.some-very-long-ending'];
  plant(root, Object.fromEntries(names.map((name) => [name, 'x'])));
  const { faults } = await readFile(root, { baseUrl: 'https://e.org/' });
  assert.deepEqual(
    faults.map(({ reason, where, extension }) => [reason, where.slice(root.length + 1), extension]),
    [
      ['media_type', 'LICENSE', 'no extension'],
      ['media_type', 'b/c.MD', '.md'],
      ['media_type', 'd.tar.gz', '.gz'],
      ['media_type', 'e.some-very-long-ending', 'no extension'],
    ],
  );
});

/** A folder whose path is longer than the system takes. */
function plantTooDeep(root: string): void {
  const [upper, lower] = ['u', 'l'].map((name) =>
    join(root, name, ...Array<string>(9).fill('x'.repeat(230))),
  );
  for (const path of [upper!, lower!]) mkdirSync(path, { recursive: true });
  writeFileSync(join(lower!, 'deep.html'), 'deep');
  renameSync(join(root, 'l'), join(upper!, 'l'));
}

test('what cannot be read is a fault, and links lead out of the folder only where that is asked for', async (t) => {
  const [root, outside] = [temporaryFolder(t), temporaryFolder(t)];
  plant(root, { 'a.html': 'a', 'in/b.html': 'b' });
  plant(outside, { 'secret.html': 's', 'more/m.html': 'm' });
  symlinkSync('self.html', join(root, 'self.html'));
  symlinkSync('self', join(root, 'self'));
  symlinkSync(join(outside, 'secret.html'), join(root, 'out.html'));
  symlinkSync(join(outside, 'more'), join(root, 'out'));
  symlinkSync(join(root, 'out.html'), join(root, 'in/out-by-link.html'));
  symlinkSync(`../${basename(root)}/in/b.html`, join(root, 'back.html'));
  symlinkSync('/dev/zero', join(root, 'zero.html'));
  execFileSync('mkfifo', [join(root, 'pipe.html')]);
  plantTooDeep(root);
  const server = createServer().listen(join(root, 'socket.html'));
  await once(server, 'listening');
  t.after(() => server.close());
  const read = async (followLinks: boolean) => {
    const { captures, faults } = await readFile(root, { baseUrl: 'https://e.org/', followLinks });
    assert.ok(faults.every(({ reason }) => reason === 'unreadable'));
    const names = faults.map(({ where }) => where.slice(root.length + 1).slice(0, 30));
    return { pages: captures.map((capture) => [capture.url.slice(14), textOf(capture)]), names };
  };
  const here = [
    ['a.html', 'a'],
    ['back.html', 'b'],
    ['in/b.html', 'b'],
  ];
  const never = ['pipe.html', 'self', 'self.html', 'socket.html'];
  const closed = await read(false);
  assert.deepEqual(closed.pages, here);
  const tooDeep = closed.names.filter((name) => name.startsWith('u/x'));
  assert.equal(tooDeep.length, 1);
  const links = ['in/out-by-link.html', 'out', 'out.html'];
  assert.deepEqual(closed.names.toSorted(), [...never, ...links, 'zero.html', ...tooDeep].toSorted());
  const open = await read(true);
  assert.deepEqual(
    open.pages.toSorted(),
    [...here, ['in/out-by-link.html', 's'], ['out.html', 's'], ['out/m.html', 'm']].toSorted(),
  );
  assert.deepEqual(open.names.toSorted(), [...never, 'zero.html', ...tooDeep].toSorted());
});

test('a folder that may not be read is a fault', { skip: process.getuid?.() !== 0 }, async (t) => {
  const root = temporaryFolder(t);
  plant(root, { 'a.html': 'a', 'closed/b.html': 'b', 'listed/c.html': 'c' });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'closed'), 0o000);
  chmodSync(join(root, 'listed'), 0o744);
  process.seteuid!(65_534);
  try {
    const { captures, faults } = await readFile(root, { baseUrl: 'https://e.org/' });
    assert.deepEqual(captures.map(textOf), ['a']);
    assert.deepEqual(
      faults.map(({ reason, where }) => [reason, where.slice(root.length + 1).split(' ')[0]]),
      [
        ['unreadable', 'closed/'],
        ['unreadable', 'listed/c.html'],
      ],
    );
  } finally {
    process.seteuid!(0);
  }
});
