import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { extractHtml } from '../../src/page/extract-html.ts';
import { markSelectors } from '../../src/page/marks/marks.ts';
import { parseSelectors } from '../../src/page/marks/selector.ts';

const URL_ = 'http://example.org/a';
const read = (html: string, body = '', ignore = '') =>
  extractHtml(html, URL_, false, { selectors: markSelectors(body, ignore) });
const textOf = (html: string, body = '', ignore = '') => read(html, body, ignore).text;

test('only the body counts where a page marks one, with the title and what the page says of itself', () => {
  const page = read(`<!doctype html><html lang=de><head><title>Bees</title><link rel=canonical href=/b>
    <meta name=description content=Honey></head><body><nav><a href=/menu>Menu</a></nav>
    <main data-akin-body><h2>Hive</h2>one <a href=/c>two</a></main><div>three</div>
    <article data-pagefind-body>four</article><script type="application/ld+json">{"datePublished":"2024-05-01"}</script>`);
  assert.equal(page.text, 'Hive\none two\nfour');
  assert.deepEqual([page.title, page.lang, page.canonical], ['Bees', 'de', 'http://example.org/b']);
  assert.deepEqual([page.card().description, page.headings.length], ['Honey', 1]);
  assert.deepEqual(
    page.links().kept.map(({ target, start, end }) => [target, page.text.slice(start, end)]),
    [['http://example.org/c', 'two']],
  );
  assert.deepEqual(page.marks, { hasBody: true, hasIgnored: false, hasWeights: false });
});

test('what is ignored does not count, and joins no words that it stood between', () => {
  assert.equal(textOf('a<div data-akin-ignore>b<div>c</div>d</div>e<img alt=f DATA-AKIN-IGNORE>g'), 'a\neg');
  assert.equal(textOf('<h2>Hive<a data-pagefind-ignore=all>#</a></h2>x'), 'Hive\nx');
  assert.equal(textOf('<main data-akin-body>a<p data-akin-ignore>b</main>c'), 'a');
  assert.equal(textOf('<div data-akin-ignore>a<main data-akin-body>b</main></div>c'), '');
  assert.equal(textOf('<b data-akin-ignored data-akin=1>a</b>'), 'a');
  const { marks, links } = read('<p>a<footer data-akin-ignore><a href=/b>b</a></footer>');
  assert.deepEqual(marks, { hasBody: false, hasIgnored: true, hasWeights: false });
  assert.deepEqual(links().kept, []);
});

test('an end tag that is left out ends a part where a browser ends it', () => {
  assert.equal(textOf('<p data-akin-ignore>a<p>b'), 'b');
  assert.equal(textOf('<ul><li data-akin-ignore>a<ul><li>b</ul><li>c</ul>'), 'c');
  assert.equal(
    textOf('<table><tr><td data-akin-ignore>a<table><tr><td>b</table>c<td>d<tr><td>e</table>'),
    'd\ne',
  );
  assert.equal(textOf('<table><tr data-akin-ignore><td>a<tr><td>b</td></tr></table>'), 'b');
  assert.equal(
    textOf('<dl><dt data-akin-ignore>a<dd>b</dl><select><option data-akin-ignore>c<option>d</select>'),
    'b\nd',
  );
  assert.equal(textOf('<div data-akin-ignore>a</span></p>b</div>c</div>d'), 'c\nd');
  assert.equal(textOf('<div><i data-akin-ignore>a</div>b'), 'b');
});

test('marks in templates, svg, scripts and comments are none', () => {
  const shadow = 'a<x-y><template shadowrootmode=open>b<p data-akin-body>c</p></template>d</x-y>';
  assert.equal(textOf(shadow), 'c');
  assert.equal(textOf('a<template><p data-akin-body>b</template>c<svg><g data-akin-body>d</g></svg>'), 'ac');
  assert.equal(textOf('a<script>"<p data-akin-body>"</script><!-- <p data-akin-body> -->b'), 'ab');
  assert.equal(textOf('a<svg><title data-akin-body>x</title></svg><p data-akin-ignore>b</p>c'), 'a\nc');
});

test('words of a part with a weight count several times, those of an inner one as it says', () => {
  const page = read(
    'one <b data-akin-weight=3>two <i data-akin-weight=1>one</i> six</b> two <u data-akin-weight=11>ten</u>',
  );
  assert.equal(page.text, 'one two one six two ten');
  const analyzer = new Analyzer({ stopWords: new Set(), spill: () => {} });
  const { content, wordCount } = countPage(page, [], analyzer, { windowWords: 0 });
  assert.deepEqual(Object.fromEntries(content.toMap()), { on: 2, two: 4, six: 3, ten: 1 });
  assert.equal(wordCount, 6);
  assert.deepEqual(page.marks, { hasBody: false, hasIgnored: false, hasWeights: true });
});

test('selectors stand for marks where a page has none of its own', () => {
  const html = '<nav class="menu top">a</nav><main id=Main><p>b<p class=x lang=en>c</main><p>d';
  assert.equal(textOf(html, 'main'), 'b\nc');
  assert.equal(textOf(html, '#Main p.x[lang], p[lang=de]'), 'c');
  assert.equal(textOf(html, '', '.menu, body main'), 'a\nb\nc\nd'.replace('a\n', ''));
  assert.equal(textOf(html, '', '.menu, #Main'), 'd');
  assert.equal(textOf(html, 'article'), 'a\nb\nc\nd');
  assert.equal(textOf(`${html}<p data-akin-body>e`, 'main', '.x'), 'e');
  for (const other of [
    '',
    'a >b',
    'a:hover',
    '*',
    'a[b^=c]',
    'a + b',
    '[a',
    'svg|a',
    'a::before',
    '[a=b i]',
    'a,',
  ]) {
    assert.equal(parseSelectors(other), null, other);
  }
});

type Node = DefaultTreeAdapterMap['node'];

/** The words that count, from the tree that the standard builds. */
function countedWords(html: string): string {
  const isMarked = (node: Node, name: string) =>
    'attrs' in node && node.attrs.some((mark) => mark.name === name);
  const walk = (node: Node, inBody: boolean): { all: string; body: string } => {
    if (isMarked(node, 'data-akin-ignore')) return { all: ' ', body: ' ' };
    const isBody = inBody || isMarked(node, 'data-akin-body');
    if (node.nodeName === '#text' && 'value' in node)
      return { all: node.value, body: isBody ? node.value : '' };
    const held = 'childNodes' in node ? node.childNodes.map((child) => walk(child, isBody)) : [];
    const join = (part: 'all' | 'body') => ` ${held.map((text) => text[part]).join('')} `;
    return { all: join('all'), body: join('body') };
  };
  const { all, body } = walk(parse(html), false);
  const hasBody = body.trim() !== '' || /<\w+ data-akin-body/.test(html.replaceAll(/<!--.*?-->/g, ''));
  return (hasBody ? body : all)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
}

test('parts of blocks are those of the tree, whatever tags are left out', () => {
  const name = fc.constantFrom('p', 'div', 'li', 'ul', 'table', 'tr', 'td', 'dl', 'dd', 'section');
  const mark = fc.constantFrom('', '', '', ' data-akin-body', ' data-akin-ignore');
  const place: fc.Memo<string> = fc.memo((depth) => {
    const held =
      depth > 1
        ? fc.array(place(depth - 1), { maxLength: 3 }).map((parts) => parts.join(''))
        : fc.constant('');
    return fc.tuple(name, mark, held, fc.nat(20), fc.boolean()).map(([tag, said, inner, word, hasEnd]) => {
      const text = `${tag === 'tr' || tag === 'table' || tag === 'ul' ? '' : ` w${word} `}`;
      const isOptional = ['p', 'li', 'tr', 'td', 'dd'].includes(tag);
      const whole =
        tag === 'table' ? `<tr><td>${inner} t` : tag === 'tr' ? `<table><tr${said}><td>${inner} r` : inner;
      const end = tag === 'tr' ? '</table>' : hasEnd || !isOptional ? `</${tag}>` : '';
      if (tag === 'tr') return `${whole}${end}`;
      return tag === 'td'
        ? `<table><tr><td${said}>${text}${inner}${hasEnd ? '</td>' : ''}</table>`
        : `<${tag}${said}>${text}${whole}${end}`;
    });
  });
  fc.assert(
    fc.property(fc.array(place(4), { maxLength: 4 }), (parts) => {
      const html = `<!doctype html><body>${parts.join('')}`;
      const words = textOf(html)
        .split(/\s+/)
        .filter((word) => word !== '')
        .join(' ');
      assert.equal(words, countedWords(html), html);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('a page of open elements takes time in proportion to its length', () => {
  const deep = (count: number) =>
    `<table><td data-akin-ignore>${'<b>'.repeat(count)}${'</i></div>'.repeat(count)}`;
  const took = (html: string) => {
    const before = process.cpuUsage();
    textOf(html);
    return process.cpuUsage(before).user;
  };
  took(deep(4000));
  const [once, eight] = [took(deep(4000)), took(deep(32_000))];
  assert.ok(eight < 25 * once + 100_000, `${once} and ${eight} us`);
});
