/**
 * Reading a page costs time in proportion to its size, whatever stands in it: the processor time a byte of hostile
 * shapes does not grow when they double and double again. All of what a build does with a page is timed: charset,
 * HTML, links, words, anchor windows, tokens and their sketch.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { extractPage } from '../../src/page/extract-page.ts';
import { MAX_LINKS } from '../../src/page/html/kernel-layout.ts';
import { sketchTokens } from '../../src/sketch/shingle-sketch.ts';
import { makeRoom } from '../../src/text/lexicon.ts';
import { MAX_URL_LENGTH } from '../../src/url/canonical-url.ts';
import { processorMs } from '../processor-time.ts';

const PAGE_URL = 'http://example.org/dir/page.html';
const SMALLEST_BYTES = 1 << 18;
/** A quadratic step makes it 4; what is left to noise, to caches and to arrays that grow. */
const MOST_GROWTH = 2;
/** Time that says nothing yet. */
const NOISE_US = 4_000;

/** A piece again and again, between what comes first and last. */
const repeated = (piece: string, first = '', last = '') => [first, piece, last] as const;

const OPEN_TAGS = [
  'b',
  'div',
  'p',
  'table',
  'tr',
  'td',
  'li',
  'ul',
  'select',
  'option',
  'form',
  'font',
  'h1',
];
const SILENT_TAGS = [
  'script',
  'style',
  'template',
  'iframe',
  'noframes',
  'noembed',
  'noscript',
  'xmp',
  'svg',
];
const OTHER_TAGS = ['title', 'textarea', 'math', 'frameset', 'object', 'button', 'head', 'body', 'html'];

const SHAPES: Record<string, readonly [string, string, string]> = {
  ...named([...OPEN_TAGS, ...SILENT_TAGS, ...OTHER_TAGS], (tag) => ({
    [`${tag} never closed`]: repeated(`<${tag}>x `),
    [`${tag} opened and closed`]: repeated(`<${tag}>x</${tag}>`),
  })),
  ...named([...SILENT_TAGS, 'title', 'textarea'], (tag) => ({
    [`${tag} that almost ends`]: repeated(`</${tag.slice(0, -1)}></ ${tag}></${tag}`, `<${tag}>`),
  })),
  'stray end tags': repeated('</u></b></p>'),
  'open and stray': repeated('<b></i>'),
  'nested svg and desc': repeated('<svg><desc>'),
  'nested math and mtext': repeated('<math><mtext>'),
  'svg and breakout': repeated('<svg><p>x'),
  'CDATA without end': repeated('<![CDATA[', '<svg>'),
  'CDATA that almost ends': repeated(']]]] >', '<svg><![CDATA['),
  'nested lists': repeated('<ul><li>x '),
  'cells without a table': repeated('<td>x<th>y'),

  'angles alone': repeated('<'),
  'closing angles alone': repeated('>'),
  'angle and slash': repeated('</'),
  'angle and bang': repeated('<!'),
  'angle and question mark': repeated('<?'),
  'ends of nothing': repeated('</><?><!></ >'),
  'tag names without end': repeated('a', '<'),
  'long tag names': repeated(`<${'n'.repeat(999)}>`),
  'upper case tags': repeated('<DIV CLASS=X>y</DIV>'),
  'tags cut off': repeated('<div '),
  'NUL in tags': repeated('<d\0iv>\0'),

  'attributes of one tag': repeated('b=c ', '<a ', 'href=/x>y</a>'),
  'attributes without value': repeated('b ', '<a ', 'href=/x>y</a>'),
  'attributes of one name': repeated('href=/x ', '<a ', '>y</a>'),
  'different attributes': repeated('a1=\'x\' b2="y" c3=z ', '<meta ', 'content=x>'),
  'slashes in a tag': repeated('/', '<a ', '>'),
  'equals signs in a tag': repeated('=', '<a ', '>'),
  'quotes in a tag': repeated(`'"`, '<a ', '>'),
  'a value without end': repeated('x', '<a href="'),
  'a value of references without end': repeated('x&amp;', '<a href="'),
  'tags in quotes without end': repeated(`<p title='x" title="`),
  'values with angles': repeated('<p title=">">x'),
  'white space in tags': repeated(' \n\t', '<a', '>'),
  'meta tags': repeated('<meta name=robots content="index, follow">'),
  'one long robots content': repeated('index, ', '<meta name=robots content="', '">'),
  'one long rel': repeated('alternate ', '<link rel="', '" href=/x>'),
  'one long rel of a link': repeated('no follow ', '<a href=/x rel="', '">x</a>'),
  'one long language': repeated('en-', '<html lang="', '">x'),
  'blank languages': repeated(' ', '<html lang="', '">x'),
  'many languages': repeated('<html lang=1>'),
  'many bases': repeated('<base href="data:x">'),
  'one long canonical': repeated('x/', '<link rel=canonical href="/', '">'),

  'references without semicolon': repeated('&amp'),
  'references of nothing': repeated('&'),
  'references that almost are': repeated('&ampersan&no'),
  'numeric references': repeated('&#120;&#x79;'),
  'references without number': repeated('&#&#x'),
  'a reference of digits': repeated('1', '&#'),
  'a reference of letters': repeated('a', '&'),
  'hexadecimal digits': repeated('f', '&#x'),
  'references in attributes': repeated('<img alt="&lt;&copy;&notit;">'),
  'the longest name': repeated('&CounterClockwiseContourIntegral;'),
  'the longest name cut': repeated('&CounterClockwiseContourIntegra'),

  'comments without end': repeated('<!--'),
  'comments that almost end': repeated('--!x->', '<!--'),
  'ends of comments': repeated('--!-->x<!--', '<!--'),
  'dashes in a comment': repeated('-', '<!--'),
  'short comments': repeated('<!-->x<!--->'),
  doctypes: repeated('<!doctype html>'),
  'a doctype without end': repeated('x ', '<!doctype '),
  'comments in scripts': repeated('<!--<script>', '<script>'),
  'scripts in scripts': repeated('<script><!--</script>-->'),

  'a long base': repeated('x', '<base href="http://a.example/', '/"><a href=b>c</a>'),
  'a long base and many links': [`<base href="http://a.example/${'x'.repeat(420_000)}/">`, '<a href=b>c', ''],
  'a base at the limit and many links': [
    `<base href="http://a.example/${'x'.repeat(2_000)}/">`,
    '<a href=b>c',
    '',
  ],
  'a strange base and many links': [
    `<base href="http://a.example/${'ü%2e/'.repeat(250)}">`,
    '<a href=../b>',
    '',
  ],
  'many links': repeated('<a href="/a?b=1&amp;c=2">some words</a>'),
  'links without end': repeated('<a href=/a>x '),
  'links without text': repeated('<a href=a></a>'),
  'links without href': repeated('<a name=x>y</a>'),
  'links in the same word': repeated('<a href=a>x</a>'),
  'links that are fragments': repeated('<a href=#x>y </a>'),
  'links of other schemes': repeated('<a href="javascript:x()">y </a>'),
  'links at the URL limit': repeated(`<a href="/${'x'.repeat(2_000)}">y </a>`),
  'links over the URL limit': repeated(`<a href="/${'x'.repeat(2_100)}">y </a>`),
  'links of many segments': repeated('/a', '<a href="', '">x</a>'),
  'links of dot segments': repeated('<a href="a/../../.././b">x </a>'),
  'one link of dot segments': repeated('../', '<a href="', '">x</a>'),
  'links to escape': repeated('<a href="/ä ö%zz">x </a>'),
  'links with white space': repeated(' \n', '<a href="', 'x">y</a>'),
  areas: repeated('<area href=/a alt="a word">'),
  'one link around all': repeated('word ', '<a href=/a>', '</a>'),
  'links between long texts': repeated(`<a href=/a>x</a> ${'far away '.repeat(40)}`),
  images: repeated('<img alt="a picture">'),
  'one long alternative': repeated('word ', '<img alt="', '">'),

  'white space': repeated(' \n', 'a', 'b'),
  'one word': repeated('x'),
  'one word of Latin letters': repeated('é'),
  'words of one letter': repeated('x '),
  'different words': ['', '', 'different'],
  apostrophes: repeated("'"),
  'words with apostrophes': repeated("it's o'clock "),
  'soft hyphens': repeated('\u00ad'),
  'soft hyphens in a word': repeated('a\u00ad'),
  ideographs: repeated('中文'),
  'kana and letters': repeated('カx'),
  syllables: repeated('한국어 '),
  'combining marks': repeated('\u0301', 'a'),
  joiners: repeated('\u200d', 'a'),
  'surrogate pairs': repeated('𝒳😀'),
  'lone surrogates': repeated('\ud800x'),
  numbers: repeated('1234567890 '),
  punctuation: repeated('.,;:!?-_()'),
  lines: repeated('x<br>\n'),
  'one title': repeated('word ', '<title>'),
  'many titles': repeated('<title> </title>'),
  'plain text of lines': repeated('a line\n'),
  'replacement characters': repeated('\ufffd'),
};

function named(
  tags: readonly string[],
  shapesOf: (tag: string) => Record<string, readonly [string, string, string]>,
) {
  return Object.assign({}, ...tags.map(shapesOf)) as Record<string, readonly [string, string, string]>;
}

function bodyOf(shape: readonly [string, string, string], sizeBytes: number): Buffer {
  const [first, piece, last] = shape;
  if (piece === '') {
    let text = '';
    for (let i = 0; text.length < sizeBytes; i++) text += `${last}${(i * 7919).toString(36)} `;
    return Buffer.from(text);
  }
  const count = Math.ceil((sizeBytes - Buffer.byteLength(first)) / Buffer.byteLength(piece));
  return Buffer.from(first + piece.repeat(Math.max(1, count)) + last);
}

const analyzer = new Analyzer({ stopWords: new Set(['the']), spill: () => {} });

function read(body: Buffer, isText: boolean) {
  makeRoom();
  const decoded = decodeBody(body, 'utf-8');
  if (decoded === null) return null;
  const page = extractPage(decoded.text, isText ? 'text/plain' : 'text/html', PAGE_URL);
  const links = page.links();
  const counts = countPage(page, links.kept, analyzer, { windowWords: 8 });
  sketchTokens(counts.tokens);
  return { page, links };
}

/** Processor time in µs, the least of some runs. */
function timeOf(body: Buffer, isText: boolean): number {
  return 1000 * Math.min(...Array.from({ length: 3 }, () => processorMs(() => read(body, isText))));
}

test('the shapes are as many as they should be', () => {
  assert.ok(Object.keys(SHAPES).length >= 115, `${Object.keys(SHAPES).length}`);
});

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`${name}: twice the size takes twice the time`, () => {
    const isText = name.startsWith('plain text');
    const bodies = [1, 2, 4].map((factor) => bodyOf(shape, factor * SMALLEST_BYTES + shape[0].length));
    const result = read(bodies[2]!, isText);
    if (result !== null) {
      const { kept } = result.links;
      const ofTargets = kept.reduce((sum, { target }) => sum + target.length, 0);
      assert.ok(kept.length <= MAX_LINKS && ofTargets <= bodies[2]!.length + MAX_LINKS * MAX_URL_LENGTH);
      assert.ok(result.page.text.length <= 2 * bodies[2]!.length);
    }
    // A second look where the machine was busy: what is quadratic is so each time.
    let growth = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 4 && growth > MOST_GROWTH; tries++) {
      const perByte = bodies.map((body) => (timeOf(body, isText) + NOISE_US) / body.length);
      growth = Math.min(growth, perByte[2]! / perByte[0]!);
    }
    assert.ok(
      growth <= MOST_GROWTH,
      `${growth.toFixed(2)} times the time for each byte at four times the size`,
    );
  });
}
