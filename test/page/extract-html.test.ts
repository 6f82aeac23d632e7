import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { extractHtml } from '../../src/page/extract-html.ts';
import { processorMs } from '../processor-time.ts';

const URL_ = 'http://example.org/dir/page.html';
const extract = (html: string) => extractHtml(html, URL_);
/** Each link as `target[text]`, an asterisk for nofollow. */
function linksOf(html: string): string[] {
  const page = extract(html);
  return page
    .links()
    .kept.map(
      (link) => `${link.target}[${page.text.slice(link.start, link.end)}]${link.nofollow ? '*' : ''}`,
    );
}

test('a small page is read whole', () => {
  const html = `<!doctype html><html lang="EN-us"><head><title> A &amp;\n B </title>
    <link rel="stylesheet canonical" href="/c"><meta name="Robots" content="NOINDEX, follow"></head>
    <body><h1>Head</h1><p>One <b>two</b> <a href="x.html#y">three</a>.</p></body></html>`;
  const { links, card, ...page } = extract(html);
  assert.equal(card().description, null);
  assert.deepEqual(page, {
    title: 'A & B',
    isPlain: false,
    lang: 'en',
    canonical: 'http://example.org/c',
    noindex: true,
    nofollow: false,
    text: 'Head\nOne two three.',
    headings: [],
  });
  assert.deepEqual(links(), {
    kept: [{ target: 'http://example.org/dir/x.html', start: 13, end: 18, nofollow: false }],
    droppedCount: 0,
  });
});

test('blocks, cells, items and line breaks separate words, inline elements do not', () => {
  assert.equal(extract('<table><tr><td>a<td>b<tr><th>c</table>').text, 'a\nb\nc');
  assert.equal(extract('<ul><li>a<li>b</ul>c<br>d<hr>e').text, 'a\nb\nc\nd\ne');
  assert.equal(extract('<select><option>a<option>b</select><button>c</button>d').text, 'a\nb\nc\nd');
  assert.equal(extract('in<b>li</b>ne<!-- x -->s <i> a </i> b').text, 'inlines a b');
  assert.equal(extract('Donau&shy;dampf foo<wbr>bar zero&#8203;width').text, 'Donaudampf foobar zerowidth');
  assert.equal(extract(' a&nbsp;&nbsp;b\t\n c\0d\x01').text, 'a b c d');
});

test('what a reader does not see is left out', () => {
  const html = `a<script>"<p>x"</script><style>x{}</style><template>x<template>y</template>z</template>
    <noscript>x</noscript><svg><title>x</title><text>y</text><g/></svg><iframe>x</iframe><!--x-->b`;
  assert.equal(extract(html).text, 'a b');
  assert.equal(extract(html).title, '');
  assert.equal(extract('a<svg/>b<svg><path><p>c').text, 'ab\nc');
});

test('a shadow tree that a template declares is shown, set off from what is around it', () => {
  const host = '<my-card>a<template shadowrootmode="open"><h2>b</h2><slot></slot></template>c</my-card>';
  assert.equal(extract(host).text, 'a\nb\nc');
  assert.equal(extract('a<template shadowrootmode=closed>b</template>c').text, 'a b c');
  // XML has none.
  assert.equal(extractHtml('a<template shadowrootmode="open">b</template>c', URL_, true).text, 'ac');
});

test('lists of related pages that this service put into a page are not read', () => {
  const list = '<section class="akin-related">\n<h2>Related</h2><ul><li><a href="/b">Bees</a></ul></section>';
  const html = `<p>One</p>${list}<section class="akin-related-not">two</section><section><section class="x akin-related">no<section>no</section>no</section> three</section>`;
  assert.equal(extract(html).text, 'One\ntwo\nthree');
  assert.deepEqual(linksOf(`<a href="/a">a</a>${list}`), ['http://example.org/a[a]']);
});

/** The texts of h2 to h6 by the tree of the standard: of those within another, the outer one. */
function headingsByTree(html: string): string[] {
  const textOf = (node: DefaultTreeAdapterMap['node']): string => {
    if ('value' in node) return node.nodeName === '#text' ? ` ${node.value}` : '';
    return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
  };
  const walk = (node: DefaultTreeAdapterMap['node']): string[] => {
    if (node.nodeName === 'h1') return [];
    if (/^h[2-6]$/.test(node.nodeName)) return [textOf(node).replace(/\s+/g, ' ').trim()];
    return 'childNodes' in node ? node.childNodes.flatMap(walk) : [];
  };
  return walk(parse(html)).filter((text) => text !== '');
}

test('headings stand where the tree of the standard has them', () => {
  for (const html of [
    '<h1>One</h1><p>two</p><h2>Three <a href="/x">four</a> <b>five</b></h2><h6>six</h6>seven',
    'a<h2>b<h3>c</h3>d<h4>e</h4>',
    '<h2><div>a</div> <p>b</h2>c',
    '<div><h2>a</h3>b</div>',
    '<h2> </h2><h2></h2><h3><img alt=""></h3>a<h2>b</h2>',
    '<svg><h2>in</h2></svg><h3>after</h3>',
    '<h2>a</h2><h1>b</h1>c<h3>d</h1>e</h3><h1>f</h2>g',
    '<table><tr><td><h5>cell</h5>text</table>',
    'x<hr><h2>a</h2><hr>y<header>z</header>',
    '<template><h2>no</h2></template><h2>yes</h2>',
  ]) {
    const { text, headings } = extract(html);
    const texts = headings.map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' '));
    assert.deepEqual(texts, headingsByTree(html), html);
  }
});

test('a heading without end tag is a line', () => {
  const textsOf = (html: string) => {
    const { text, headings } = extract(html);
    return headings.map(({ start, end }) => text.slice(start, end));
  };
  assert.deepEqual(textsOf('<p>a</p><h2>b <i>c</i><p>d<p>e'), ['b c']);
  assert.deepEqual(textsOf('<h2>b<p>d<h2>f</h2>g'), ['b', 'f']);
  assert.deepEqual(textsOf('<h2>b'), ['b']);
  assert.deepEqual(textsOf('<h2>a<h1>b</h1>c'), ['a']);
  assert.deepEqual(textsOf('b</h2>c'), []);
  assert.deepEqual(textsOf('<h2>Alpha Beta<h2><h3>Gamma</h3>'), ['Alpha Beta', 'Gamma']);
  assert.deepEqual(textsOf('<h2>a<h3>b</h3>c</h2>d'), ['a', 'b']);
  assert.deepEqual(textsOf('<h2><h3><h4>a'), ['a']);
});

test('entities are decoded, broken ones stay', () => {
  assert.equal(
    extract('&lt;p&gt; &eacute;&#x4e2d;&#128512; &amp &bogus; AT&T').text,
    '<p> é中😀 & &bogus; AT&T',
  );
});

test('image alternatives are words of their own', () => {
  assert.equal(extract('a<img alt="b &amp; c">d<img>e<img alt="">f').text, 'a b & c d e f');
  assert.deepEqual(linksOf('<a href=/i><img alt="Go home"></a>x<a href=/j><img></a>'), [
    'http://example.org/i[Go home]',
    'http://example.org/j[]',
  ]);
});

test('only http and https links are kept, in order, canonical', () => {
  const html = `<a href="mailto:a@b">m</a><a href="javascript:x()">j</a><a name=n>n</a><a href>self</a>
    <a href="//example.com">c</a> <a href=" ../up ">u</a><a href="#f">f</a><a href="http://[">bad</a>`;
  assert.deepEqual(linksOf(html), [
    'http://example.org/dir/page.html[self]',
    'http://example.com/[c]',
    'http://example.org/up[u]',
    'http://example.org/dir/page.html[f]',
  ]);
});

test('the base counts for links before it, the first one only, and only if http(s)', () => {
  assert.deepEqual(linksOf('<a href=x>a</a><base href="/b/"><base href="/c/">'), [
    'http://example.org/b/x[a]',
  ]);
  assert.deepEqual(linksOf('<base href="data:,x"><a href=x>a</a>'), ['http://example.org/dir/x[a]']);
  assert.deepEqual(linksOf('<base target=_top><base href=https://example.com><a href=x>a</a>'), [
    'https://example.com/x[a]',
  ]);
});

test('links over the URL limit and behind the first 10,000 are dropped and counted, a long base is no base', () => {
  const long = 'x'.repeat(2_000);
  const { kept, droppedCount } = extract(
    `<base href="/${long}/"><a href="${'y'.repeat(60)}">a</a><a href=b>b</a><a href="#${long}">c</a>` +
      `<a href="/${long}${long}">d</a><a href="data:,${long}${long}">e</a>`,
  ).links();
  assert.deepEqual(
    kept.map(({ target }) => target),
    [`http://example.org/${long}/b`, `http://example.org/${long}/`],
  );
  assert.equal(droppedCount, 2);
  assert.deepEqual(linksOf(`<base href="/${long}${long}/"><a href=b>b</a>`), ['http://example.org/dir/b[b]']);

  const many = extract('<a href=/a>x</a>'.repeat(10_500));
  assert.equal(many.links().kept.length, 10_000);
  assert.equal(many.links().droppedCount, 500);
  assert.equal(many.text, Array(10_500).fill('x').join(' '), 'the text is that of all');
});

test('a megabyte of links with a long base costs a few times its size', () => {
  for (const length of [2_000, 420_000]) {
    const html = `<base href="http://a.example/${'x'.repeat(length)}/">${'<a href=b>'.repeat(57_000)}`;
    const heapBefore = process.memoryUsage().heapUsed;
    const before = process.cpuUsage();
    const { kept, droppedCount } = extract(html).links();
    const { user, system } = process.cpuUsage(before);
    const characters = kept.reduce((sum, { target }) => sum + target.length, 0);
    assert.equal(kept.length + droppedCount, 57_000);
    assert.ok(characters <= 10_000 * 2_048);
    assert.ok(user + system < 2e6, `${(user + system) / 1e6} s of processor time`);
    assert.ok(process.memoryUsage().heapUsed - heapBefore < 100e6);
  }
});

test('nofollow, ugc and sponsored links are marked', () => {
  assert.deepEqual(
    linksOf(
      '<a rel="external NoFollow" href=/a>a</a> <a rel=ugc href=/b>b</a> <a rel=nofollower href=/c>c</a>',
    ),
    ['http://example.org/a[a]*', 'http://example.org/b[b]*', 'http://example.org/c[c]'],
  );
});

test('wrong anchors keep true offsets', () => {
  assert.deepEqual(linksOf('<a href=/1>one <a href=/2>two</a> three</a> four'), [
    'http://example.org/1[one]',
    'http://example.org/2[two]',
  ]);
  assert.deepEqual(linksOf('<p>x <a href=/1>one<p>two<p>three'), ['http://example.org/1[one]']);
  assert.deepEqual(linksOf('<a href=/1> <b>one</a></b> <a href=/2></a>'), [
    'http://example.org/1[one]',
    'http://example.org/2[]',
  ]);
  assert.deepEqual(linksOf('<a href=/1><div>one</div><div>two</div></a>'), [
    'http://example.org/1[one\ntwo]',
  ]);
  assert.deepEqual(linksOf('<a href=/1 href=/2>x</a></a></a>'), ['http://example.org/1[x]']);
});

test('anchors that touch do not share a word', () => {
  assert.equal(extract('<a href=/1>Home</a><a href=/2>News</a>s').text, 'Home Newss');
});

test('areas of an image map are links with their alternative', () => {
  assert.deepEqual(linksOf('<map><area href=/n alt=North><area href=/s><area alt=x></map>y'), [
    'http://example.org/n[North]',
    'http://example.org/s[]',
  ]);
});

test('frames of a frameset are links without words', () => {
  const frames = '<frameset cols=20%,*><frame src=menu.html name=menu><frame src=/a?b&amp;c=1></frameset>';
  assert.deepEqual(linksOf(`${frames}<noframes><a href=/n>No frames</a></noframes>`), [
    'http://example.org/dir/menu.html[]',
    'http://example.org/a?b&c=1[]',
  ]);
  assert.deepEqual(linksOf('<frame><iframe src=/ad></iframe>'), []);
});

test('the language comes from html, then from the meta', () => {
  const cases: Record<string, string | null> = {
    '<html lang=de>': 'de',
    '<html xml:lang="pt-BR">': 'pt',
    '<html lang="" xml:lang=fr>': 'fr',
    '<html lang=en_GB>': 'en',
    '<html lang=x-klingon>': null,
    '<html lang=und>': null,
    '<html><meta http-equiv=Content-Language content="it, en">': 'it',
    '<html lang=de><meta http-equiv=Content-Language content=en>': 'de',
    '<p lang=de>': null,
  };
  for (const [html, lang] of Object.entries(cases)) assert.equal(extract(html).lang, lang, html);
});

test('robots and akin metas are obeyed, other names are not', () => {
  const flags = (html: string) => [extract(html).noindex, extract(html).nofollow];
  assert.deepEqual(flags('<meta name=robots content=none>'), [true, true]);
  assert.deepEqual(flags('<meta name=akin content=noindex><meta name=robots content="index,nofollow">'), [
    true,
    true,
  ]);
  assert.deepEqual(flags('<meta name=other content=noindex><meta name=robots content="noindexing">'), [
    false,
    false,
  ]);
});

test('a meta refresh leads where browsers go', () => {
  const contents: readonly (readonly [string, string | undefined])[] = [
    ['0; url=/new', 'http://example.org/new'],
    ['0;URL="/new"', 'http://example.org/new'],
    [" 5.5 , url = '/a b' more", 'http://example.org/a%20b'],
    ['0 http://a.example/x', 'http://a.example/x'],
    ['0; /new', 'http://example.org/new'],
    ['1;url="/open', 'http://example.org/open'],
    ['300', undefined],
    ['300;', undefined],
    ['0; url=', undefined],
    ['0; url=mailto:x', undefined],
    ['url=/no-time', undefined],
    ['soon; url=/no-time', undefined],
  ];
  for (const [content, refresh] of contents) {
    const quoted = content.replaceAll('"', '&quot;');
    assert.equal(extract(`<meta http-equiv=Refresh content="${quoted}">`).refresh, refresh, content);
  }
  assert.equal(extract('<meta name=refresh content="0;url=/x">').refresh, undefined);
});

test('the canonical is absolute, the first, and http(s)', () => {
  assert.equal(
    extract('<link rel=canonical href="http://a.example/x"><link rel=canonical href=/y>').canonical,
    'http://a.example/x',
  );
  assert.equal(extract('<base href=/b/><link rel=CANONICAL href=z>').canonical, 'http://example.org/b/z');
  assert.equal(extract('<link rel=canonical href="mailto:x"><link rel=alternate href=/y>').canonical, null);
});

test('the first title that is not blank counts, cut where it has no end', () => {
  assert.equal(extract('<title> </title><title>b</title><title>c</title>').title, 'b');
  assert.equal(extract(`<title>${'word '.repeat(1000)}`).title.length, 499);
});

test('in XHTML a tag that closes itself is closed', () => {
  const html = '<html><head><title/><script src="x"/></head><body><a href="/a"/><p>text</p></body></html>';
  const page = extractHtml(html, URL_, true);
  const { kept } = page.links();
  assert.deepEqual([page.title, page.text, kept.length], ['', 'text', 1]);
  assert.equal(kept[0]!.end, 0);
});

test('lone surrogates do not get out', () => {
  assert.ok(extract('<title>\ud800</title>a\udc00b').text.isWellFormed());
  assert.ok(extract('<title>\ud800</title>a\udc00b').title.isWellFormed());
});

/** Each a few megabytes; a quadratic step anywhere would take minutes. */
const HUGE: Record<string, string> = {
  'a million open elements': `${'<b><div>'.repeat(500_000)}x`,
  'a million stray end tags': `${'<i>'.repeat(100_000)}${'</u>'.repeat(400_000)}x`,
  '100,000 links': '<li><a href="/a?b=1&amp;c=2">some words</a>'.repeat(100_000),
  '100,000 open anchors': '<a href=/a>x'.repeat(100_000),
  'an attribute without end': `<a href="${'x&amp;'.repeat(500_000)}`,
  '100,000 attributes': `<a ${'b=c '.repeat(100_000)}href=/x>y</a>`,
  'comments without end': '<!--'.repeat(500_000),
  'entities without end': '&ampersand&#x1&#'.repeat(200_000),
  'nothing but angles': '<'.repeat(2_000_000),
  'white space': `a${' \n'.repeat(1_000_000)}b`,
  'ends of comments': `<!--${'--!-->x<!--'.repeat(200_000)}`,
  'comments that almost end': `<!--${'--!x->'.repeat(400_000)}`,
  'scripts without end': '<script><!--<script>'.repeat(200_000),
  'raw text that almost ends': `<title>${'</titl></'.repeat(300_000)}`,
  'ends of nothing': '</><?><!></ >'.repeat(200_000),
  'tags in quotes without end': `<p title='${'<p title="'.repeat(200_000)}`,
  'nested svg': '<svg><desc><svg>'.repeat(150_000),
  'CDATA without end': `<svg>${'<![CDATA['.repeat(200_000)}`,
  'a reference of a million digits': `&#${'1'.repeat(1_000_000)}&${'a'.repeat(1_000_000)}`,
  'nested templates': `${'<template>'.repeat(200_000)}x`,
};

for (const [name, html] of Object.entries(HUGE)) {
  test(`${name} take time in proportion`, () => {
    let page = extract('');
    const ms = processorMs(() => {
      page = extract(html);
    });
    assert.ok(ms < 5_000, `${Math.round(ms)} ms`);
    for (const link of page.links().kept)
      assert.ok(0 <= link.start && link.start <= link.end && link.end <= page.text.length);
  });
}

test('a page is read no further than its noindex where nothing else counts', () => {
  const html = '<title>a</title><meta name=robots content=noindex><p>text';
  const [whole, begun] = [false, true].map((ends) => extractHtml(html, URL_, false, { endsAtNoindex: ends }));
  assert.deepEqual([whole!.noindex, whole!.title, whole!.text], [true, 'a', 'text']);
  assert.deepEqual([begun!.noindex, begun!.title, begun!.text], [true, 'a', '']);
});
