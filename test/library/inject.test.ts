/** Lists in the pages of a folder, on hand-made sites of which the lists are known. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { buildIndex } from '../../src/library/build.ts';
import { openIndex } from '../../src/library/index-questions.ts';
import { folderPages, recordsOf } from '../../src/library/site/folder-pages.ts';
import { injectFolder } from '../../src/library/site/inject.ts';
import { relatedHtml } from '../../src/service/answers/lists/related-html.ts';
import { akin } from '../cli/terminal.ts';
import { longTest } from '../long-test.ts';
import { newFolder } from '../new-folder.ts';

const folder = newFolder('inject');
after(() => rmSync(folder, { recursive: true, force: true }));
const base = 'https://example.org/';
const site = join(folder, 'site');
const cache = join(folder, 'cache');

const page = (title: string, text: string, end = '<!-- akin-related -->') =>
  `<!doctype html>\n<meta charset="utf-8"><title>${title}</title>\n<p>${text}</p>\n${end}\n`;
const TEA = 'green tea and black tea are brewed in a warm pot';
const STARS = 'a telescope shows the rings of a planet and stars at night';
const BREAD = 'sour dough of rye makes bread in a hot oven';
const PAGES: Readonly<Record<string, string | Buffer>> = {
  'tea/index.html': page('Tea', TEA),
  'pots/index.html': page(
    'Pots',
    `the warm pot for black tea ${TEA} of clay`,
    '<akin-related limit="3"> </akin-related>',
  ),
  'rye.html': page('Rye', BREAD).replaceAll('\n', '\r\n'),
  'oven.html': Buffer.from(
    page('Öfen & more', `a hot oven bakes ${BREAD} well`).replace('utf-8', 'iso-8859-1'),
    'latin1',
  ),
  'plain.html': page('Plain', `${STARS} without clouds`, ''),
  'code.html': page('Code', `${STARS} and a template`, '<script>"<!-- akin-related -->"</script>'),
  'hidden.html': page('Hidden', `${TEA} in secret`).replace(
    '<title>',
    '<meta name=robots content=noindex><title>',
  ),
  '404.html': page('Not found', TEA),
  'drafts/next.html': page('Draft', `${TEA} soon`),
  'posts/404.html': page('The four hundred and fourth', `the crust of ${BREAD} once again`),
  'robots.txt': 'tea pot',
};
const write = () => {
  rmSync(site, { recursive: true, force: true });
  for (const [path, text] of Object.entries(PAGES)) {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  }
};
const bytes = (path: string) => readFileSync(join(site, path)).toString('latin1');
const WITH_LIST = ['oven.html', 'posts/404.html', 'pots/index.html', 'rye.html', 'tea/index.html'];

test('lists are written where pages have a place, and nowhere else', async () => {
  write();
  const dry = await injectFolder(site, { base, cache, dryRun: true });
  assert.deepEqual(dry.changed, WITH_LIST);
  for (const path of Object.keys(PAGES))
    assert.equal(bytes(path), Buffer.from(PAGES[path]!).toString('latin1'));

  const report = await injectFolder(site, { base, cache });
  assert.deepEqual(report, { ...dry, isCached: true });
  assert.equal(report.pageCount, 8);
  assert.deepEqual([report.placeCount, report.noindexCount], [5, 1]);
  assert.equal(report.passedOverCount, 2);
  for (const path of Object.keys(PAGES)) {
    if (WITH_LIST.includes(path)) assert.match(bytes(path), /<section class="akin-related">/);
    else assert.equal(bytes(path), Buffer.from(PAGES[path]!).toString('latin1'), path);
    assert.doesNotMatch(bytes(path), /href="[^"]*(hidden|drafts|org\/404|robots)/);
  }
});

test('a list is the HTML of the service', async () => {
  const to = join(folder, 'site.akin');
  await buildIndex({ inputs: [recordsOf(site, folderPages(site, base, false).pages)], to });
  await using index = await openIndex(to);
  const answer = await index.related(`${base}tea/`, { limit: 5, fetched: 'only', exclude_copies: true });
  assert.equal(answer.related[0]!.url, `${base}pots/`);
  const list = relatedHtml(answer as Parameters<typeof relatedHtml>[0], false, 'Related pages');
  assert.equal(
    bytes('tea/index.html'),
    page('Tea', TEA, `<!-- akin-related -->${list}<!-- /akin-related -->`),
  );
  assert.match(
    bytes('pots/index.html'),
    /<akin-related limit="3"><section[\s\S]*<\/section>\n<\/akin-related>/,
  );
});

test('line ends and encodings stay', () => {
  assert.doesNotMatch(bytes('rye.html'), /[^\r]\n/);
  assert.match(readFileSync(join(site, 'rye.html'), 'utf8'), />Öfen &amp; more</);
  assert.match(bytes('oven.html'), /<title>\xd6fen/);
  // windows-1252 and the list of a page of another encoding.
  assert.equal(Buffer.from(bytes('oven.html'), 'latin1').includes('\xc3'), false);
});

longTest('a second run changes nothing, and a changed page what follows from it', async () => {
  const past = new Date(1e12);
  for (const path of WITH_LIST) utimesSync(join(site, path), past, past);
  const again = await injectFolder(site, { base, cache });
  assert.deepEqual([again.changed, again.isCached], [[], true]);
  for (const path of WITH_LIST) assert.equal(statSync(join(site, path)).mtimeMs, 1e12);

  const noindex = bytes('pots/index.html').replace('<title>', '<meta name=robots content=noindex><title>');
  writeFileSync(join(site, 'pots/index.html'), noindex, 'latin1');
  const third = await injectFolder(site, { base, cache });
  assert.equal(third.isCached, false);
  assert.ok(third.changed.includes('tea/index.html'));
  assert.match(bytes('pots/index.html'), /<akin-related limit="3"><\/akin-related>/);
  assert.doesNotMatch(bytes('tea/index.html'), /pots/);
  const [name, ...more] = readdirSync(cache);
  assert.deepEqual(more, [], 'what one run found is kept');
  writeFileSync(join(cache, name!), '');
  const cut = await injectFolder(site, { base, cache });
  assert.deepEqual([cut.isCached, cut.changed], [false, []], 'what was cut off is made again');
  assert.equal((await injectFolder(site, { base, cache, limit: 1 })).isCached, false);
});

test('lists by the age of pages are kept for a day at most', async (t) => {
  const fresh = join(folder, 'fresh');
  mkdirSync(fresh);
  const published = Date.UTC(2026, 0, 1);
  const dated = `<meta property="article:published_time" content="${new Date(published).toISOString()}">`;
  writeFileSync(join(fresh, 'a.html'), page('A', TEA));
  writeFileSync(join(fresh, 'undated.html'), page('Undated', `${TEA} of clay`));
  writeFileSync(join(fresh, 'dated.html'), page('Dated', `${dated}${TEA} of clay or iron`));
  for (const name of ['c', 'd', 'e'])
    writeFileSync(join(fresh, `${name}.html`), page(name, `${STARS} ${name}`));
  let nowMs = published;
  t.mock.method(Date, 'now', () => nowMs);
  const listed = async () => {
    const options = { base, cache: join(folder, 'fresh-cache'), boost: 'fresh:30d' };
    const { isCached } = await injectFolder(fresh, options);
    const html = readFileSync(join(fresh, 'a.html'), 'utf8');
    return [
      isCached,
      ...Array.from(html.matchAll(/akin-link" href="[^"]+\/(\w+)\.html"/g), ([, name]) => name),
    ];
  };
  assert.deepEqual(await listed(), [false, 'dated', 'undated']);
  assert.deepEqual(await listed(), [true, 'dated', 'undated']);
  nowMs += 100 * 86_400_000;
  assert.deepEqual(await listed(), [false, 'undated', 'dated']);
});

test('rules say what lists begin with and do not hold, and are asked for again when they change', async () => {
  write();
  const rules = [{ url: `${base}tea/`, pin: [`${base}rye.html`], block: [`${base}pots/`] }];
  assert.equal((await injectFolder(site, { base, cache, rules })).isCached, false);
  const links = Array.from(bytes('tea/index.html').matchAll(/href="([^"]+)"/g), ([, href]) => href);
  assert.match(links[0]!, /rye\.html$/);
  assert.ok(links.every((href) => !href!.includes('pots')));
  assert.doesNotMatch(bytes('pots/index.html'), /rye/);
  await injectFolder(site, { base, cache });
  assert.match(bytes('tea/index.html'), /pots/);
  assert.doesNotMatch(bytes('tea/index.html'), /rye/);
});

test('where more than a tenth of the pages have a place, one without it is in no list, unless a rule pins it or its place is hidden', async () => {
  write();
  const tags = join(site, 'tags.html');
  const listsTags = () => /href="[^"]*tags\.html"/.test(bytes('tea/index.html'));
  const quotes = `<a href="${base}tea/">${TEA}</a> <a href="${base}pots/">${TEA} of clay</a>`;
  const options = { base, cache: join(folder, 'tags') };
  writeFileSync(tags, page('Posts on tea', quotes, ''));
  const others = Array.from({ length: 20 }, (_, i) => join(site, `tag-${i}.html`));
  for (const [i, path] of others.entries()) writeFileSync(path, page(`Tag ${i}`, `posts with tag${i}`, ''));
  await injectFolder(site, options);
  assert.equal(listsTags(), false);
  await injectFolder(site, { ...options, rules: [{ pin: [`${base}tags.html`] }] });
  assert.equal(listsTags(), true);
  writeFileSync(tags, page('Posts on tea', quotes, '<akin-related hidden></akin-related>'));
  await injectFolder(site, options);
  assert.equal(listsTags(), true);

  const alone = join(folder, 'alone');
  mkdirSync(alone);
  for (const name of ['a.html', 'b.html']) writeFileSync(join(alone, name), PAGES['hidden.html']!);
  writeFileSync(join(alone, 'plain.html'), PAGES['plain.html']!);
  const { listCount } = await injectFolder(alone, { base, cache: join(folder, 'alone-cache') });
  assert.equal(listCount, 0, 'no page with a place is in the index');
});

test('in a trial on one page of a site its list holds pages that have no place yet', async () => {
  const trial = join(folder, 'trial');
  mkdirSync(trial);
  const at = (name: string) => join(trial, `${name}.html`);
  writeFileSync(at('first'), page('First', TEA));
  writeFileSync(
    at('second'),
    page('Second', 'leaves of green tea, picked by hand, for a warm pot of clay', ''),
  );
  for (const name of ['third', 'fourth']) writeFileSync(at(name), page(name, `${STARS} of the ${name}`, ''));
  await injectFolder(trial, { base, cache: join(folder, 'trial-cache') });
  assert.match(readFileSync(at('first'), 'utf8'), /second\.html/);
});

test('the command says what it did, and names what it cannot do', async () => {
  write();
  const args = ['inject', site, '--base', base, '--cache', cache];
  const dry = await akin([...args, '--dry-run', '--limit', '1', '--heading', 'Read on']);
  assert.equal(dry.stdout, `${WITH_LIST.join('\n')}\n`);
  assert.match(
    dry.stderr,
    /5 pages would change; of 8 pages 5 have a place for a list and 5 show related pages; 2 error pages and drafts passed over, and 1 page with a place and noindex$/m,
  );
  const done = await akin([...args, '--limit', '1', '--heading', 'Read on', '--body', 'p']);
  assert.equal(done.code, 0);
  assert.match(done.stderr, /body mark on 7 of 7 pages/);
  assert.match(bytes('tea/index.html'), /Read on<\/h2>\n<ul class="akin-list">\n<li[^\n]*<\/li>\n<\/ul>/);

  const none = await akin([...args, '--published-after', '2030-01-01', '--dry-run']);
  assert.match(
    none.stderr,
    /0 show related pages.*\n(?:.*\n)*hint: .*the options exclude every related page\n$/,
  );
  assert.match((await akin([...args, '--limit', '0'])).stderr, /limit/);
  const unknown = await akin([...args, '--by', 'nothing']);
  assert.deepEqual([unknown.code, /by: must be one of topic, copy/.test(unknown.stderr)], [2, true]);
  // A list shows none.
  assert.match((await akin([...args, '--fields', 'price'])).stderr, /unknown option '--fields'/);
  assert.match((await akin(['inject', site, '--base', 'nothing'])).stderr, /cannot be the base URL/);
  writeFileSync(join(folder, 'plain.html'), page('Plain', TEA, ''));
  rmSync(site, { recursive: true });
  mkdirSync(site);
  assert.match((await akin(args)).stderr, /has no HTML pages/);
  writeFileSync(join(site, 'a.html'), page('Plain', TEA, ''));
  assert.match((await akin(args)).stderr, /no page of .* has a place for a list/);
});

test('links that lead out of the folder are passed over and named; what is no folder is refused', async () => {
  write();
  const away = join(folder, 'away');
  mkdirSync(away, { recursive: true });
  writeFileSync(join(away, 'other.html'), page('Other', TEA));
  symlinkSync(join(away, 'other.html'), join(site, 'out.html'));
  symlinkSync(away, join(site, 'away'));
  const report = await injectFolder(site, { base, cache: join(folder, 'links') });
  assert.deepEqual(report.unreadable, [
    'away: a link that leads out of the folder',
    'out.html: a link that leads out of the folder',
  ]);
  assert.deepEqual([report.pageCount, report.changed.length], [8, WITH_LIST.length]);
  const { code, stderr } = await akin(['inject', site, '--base', base, '--cache', join(folder, 'links')]);
  assert.equal(code, 0);
  assert.match(stderr, /akin: passed over out\.html: a link that leads out of the folder\n/);
  for (const [path, what] of [
    [join(folder, 'none'), 'does not exist'],
    [join(away, 'other.html'), 'is no folder'],
  ] as const) {
    const refused = await akin(['inject', path, '--base', base]);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, new RegExp(`${what}\nhint: give the folder`));
  }
});

test('where the cache cannot be written, lists stand in the pages all the same, and that is said', async () => {
  write();
  const taken = join(folder, 'taken');
  writeFileSync(taken, '');
  const args = ['inject', site, '--base', base, '--cache', join(taken, 'akin')];
  const { code, stderr } = await akin(args);
  assert.equal(code, 0);
  assert.match(stderr, /^akin: the lists are not kept for the next run: .*taken/m);
  for (const path of WITH_LIST) assert.match(bytes(path), /<section class="akin-related">/);
});

test('where there is no node_modules, lists are kept in the cache of the user', async () => {
  write();
  const before = process.cwd();
  process.chdir(folder);
  try {
    const args = ['inject', site, '--base', base, '--json'];
    const home = join(folder, 'home');
    const isCached = async () =>
      JSON.parse((await akin(args, { env: { XDG_CACHE_HOME: home } })).stdout)['is_cached'];
    assert.deepEqual([await isCached(), await isCached()], [false, true]);
    assert.equal(readdirSync(join(home, 'akin')).length, 1);
  } finally {
    process.chdir(before);
  }
});

test('links are paths where that is asked for', async () => {
  write();
  const options = { base, cache: join(folder, 'other'), pathLinks: true, body: 'p', limit: 1 };
  const { marks } = await injectFolder(site, options);
  // One of the eight pages asks not to be read.
  assert.deepEqual(marks, { recordCount: 7, bodyRecordCount: 7, ignoreRecordCount: 0, weightRecordCount: 0 });
  assert.deepEqual((await injectFolder(site, options)).marks, marks);
  assert.match(bytes('tea/index.html'), /class="akin-link" href="\/pots\/" /);
});

test('of a mirror of several hosts links are paths within a host', async () => {
  const mirror = join(folder, 'mirror');
  const texts = {
    'a.example/tea': TEA,
    'a.example/pot': `the warm pot for black tea ${TEA} of clay`,
    'b.example/tea': 'black tea is brewed in a warm pot, green tea too',
    'b.example/rye': BREAD,
    'b.example/oven': `a hot oven bakes ${BREAD} well`,
    'b.example/star': STARS,
    'b.example/sky': `${STARS} without clouds`,
  };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(mirror, path)), { recursive: true });
    writeFileSync(join(mirror, `${path}.html`), page(path, text));
  }
  await injectFolder(mirror, { base: 'https://', pathLinks: true, cache });
  const html = readFileSync(join(mirror, 'a.example/tea.html'), 'utf8');
  const links = Array.from(html.matchAll(/akin-link" href="([^"]+)"/g), ([, href]) => href);
  assert.deepEqual(links.toSorted(), ['/pot.html', 'https://b.example/tea.html']);
});

test('a heading is in the language of its page, where none is given', async () => {
  write();
  const said = { 'tea/index.html': 'de-AT', 'pots/index.html': 'fr_FR', 'rye.html': 'tlh' };
  for (const [path, lang] of Object.entries(said)) {
    writeFileSync(join(site, path), `<!doctype html>\n<html data-lang="ja" lang="${lang}">${PAGES[path]}`);
  }
  const options = { base, cache: join(folder, 'headings') };
  await injectFolder(site, options);
  const headingOf = (path: string) =>
    /class="akin-heading" dir="auto">([^<]*)</.exec(readFileSync(join(site, path), 'utf8'))?.[1];
  assert.deepEqual([...Object.keys(said), 'oven.html'].map(headingOf), [
    'Verwandte Seiten',
    'Pages liées',
    'Related pages',
    'Related pages',
  ]);
  await injectFolder(site, { ...options, heading: 'Read on' });
  assert.equal(headingOf('tea/index.html'), 'Read on');
});

test('the name of a file may be in any encoding', async () => {
  const odd = join(folder, 'odd');
  mkdirSync(odd);
  const name = Buffer.from(`${odd}/caf\u00e9.html`, 'latin1');
  writeFileSync(name, page('Tea', TEA));
  writeFileSync(join(odd, 'pot.html'), page('Pots', `a warm pot ${TEA}`));
  const { changed } = await injectFolder(odd, { base, cache });
  assert.equal(changed.length, 2);
  assert.match(readFileSync(name, 'utf8'), /<section class="akin-related"/);
  assert.equal(readdirSync(odd).length, 2, 'nothing else is left');
});

test('lists are those of an index of the folder, by links to the files of pages too; permissions stay', async () => {
  const linked = join(folder, 'linked');
  const words = 'rose petal thorn cane prune garden water soil leaf bud stem root seed spade'.split(' ');
  const pick = (i: number, k: number) => words[(i * (k + 3) + k * k) % words.length];
  const pages = Array.from({ length: 20 }, (_, i) => {
    const links = [1, 2, 3].map((k) => {
      const to = (i * 7 + k * 5) % 20;
      return `<a href="${to % 2 ? `/${to}.html` : `/${to}/index.html`}">anchor${to} label${to % 4}</a>`;
    });
    return {
      path: i % 2 ? `${i}.html` : `${i}/index.html`,
      text: Array.from({ length: 15 }, (_, k) => pick(i, k)),
      links,
    };
  });
  for (const { path, text, links } of pages) {
    mkdirSync(dirname(join(linked, path)), { recursive: true });
    writeFileSync(join(linked, path), page(path, `${text.join(' ')}</p><p>${links.join(' ')}`));
    chmodSync(join(linked, path), 0o666);
  }
  const to = join(folder, 'linked.akin');
  await buildIndex({ inputs: [{ folder: linked, base, cleanUrls: true }], to });
  await using index = await openIndex(to);
  await injectFolder(linked, { base, cleanUrls: true, cache });
  for (const { path } of pages) {
    const html = readFileSync(join(linked, path), 'utf8');
    const listed = Array.from(html.matchAll(/akin-link" href="([^"]+)"/g), ([, url]) => url);
    const url = base + path.replace(/index\.html$|\.html$/, '');
    const answer = await index.related(url, { limit: 5, fetched: 'only', exclude_copies: true });
    assert.deepEqual(
      listed,
      answer.related.map((one) => one.url),
      path,
    );
    assert.equal(statSync(join(linked, path)).mode & 0o777, 0o666);
  }
});
