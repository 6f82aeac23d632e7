import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeBody } from '../../src/page/decode.ts';
import { longTest } from '../long-test.ts';
import { DROPPED_TAG, differenceFromTree, NUL, OPEN_ANCHOR } from './tree-difference.ts';

const ARCHIVE = new URL('../../../shared/data/manuals/demo.warc.gz', import.meta.url);
const NO_ARCHIVE = existsSync(ARCHIVE) ? false : 'the archive of manuals is not in ../shared/data';
const URL_ = 'http://example.org/dir/page.html';

const HOSTILE = [
  '',
  'no tags at all & <3',
  '<p>a<p>b</p></p>c</div>d',
  '<b><i>bold</b>both</i>neither',
  '<a href=/1>x<a href=/2>y</a>z</a>',
  '<a href=/1><p>x</a>y</p><a href="/2"><div>z</div></a>',
  '<a href=/1>one<p>two<p>three',
  '<ul><li><a href=/1>x<li><a href=/2>y</ul>z',
  '<table><tr><td><a href=/1>x<td>y</table><a href=/2>z</a>',
  '<title>a<b>c</title>d<title>e</title>',
  '<script>if (a<b) "</p>" <!-- <script> --></script>x<style><p></style>y',
  '<textarea><a href=/1>x</a></textarea><a href=/2>y</a>',
  '<xmp><a href=/1>x</a></xmp>y<plaintext><a href=/2>z</a>',
  '<!-- a -- b --!>c<!-->d<!--->e<![CDATA[f]]>g<?h?>i</ j>k<!l>m',
  '<p title="a>b" class=\'c>d\' e=f>g>h',
  '<a/href=/1>x</a><a\nhref\n=\n/2\n>y</a><A HREF=/3>z</A>',
  '<a href="/1"title="x">y</a><a href=/2 href=/3>z</a><a href=>w</a>',
  '<a href="/?a=1&b=2&amp;c=3&copy=4&copy;=5&notit=6">x</a>',
  '<a href="ja&#118;ascript:x">a</a><a href=" /1 ">b</a><a href="ht\ntp://b.example/">c</a>',
  '<noscript><a href=/1>x</a></noscript><template><a href=/2>y</a></template>z',
  '<svg><a href=/1><text>x</text></a><title>t</title><style>s</style></svg>y<svg><circle/>z<p>w',
  '<svg><foreignObject><div><p>x</div><style>y</style></foreignObject><desc><p>z</p></desc></svg>w',
  '<svg><title/></svg>x<svg><title>a<b>c</b></title></svg>y<svg></p>z<svg><svg></svg>v</svg>w',
  '<svg><![CDATA[a</svg>b]]></svg>c<svg><![CDATA[d',
  '<math><mi>x</mi><mo>=</mo><mn>1</mn></math>y',
  '<math><![CDATA[a<b>c]]><mtext><![CDATA[d>e]]></mtext></math><title>f</title>',
  '<math><title>a</title><mi><b>d</b></mi></math>e<math></br>f',
  '<script><!-- <script>a</script>b --></script>c<script><!--<script></script>d--!></script>e',
  '<script><!--><script></script>a<script><!-- </script>b<script><scripty></script >c',
  '<script>a</scriptx></script/x="y>">b</SCRIPT>c<style></styles></style\n>d</style',
  '<title>a</titles>&amp;<!--b</title c="d>">e<textarea>\n&lt;p></textarea>f<xmp>&amp;</xmp>g',
  '<noscript><p>a<!-- </noscript>b<iframe><!-- </iframe>c<noembed><p></noembed>d<noframes>e</noframes>f',
  '<!----!>a<!--b--!>c<!---!>d-->e<!--->f<!--g<!-->h<!-- - -- >i-->j<!----->k<!---->l',
  '<!doctype html PUBLIC "a>b">c<!doctypehtml>d<!x>e</>f</!>g<?php echo "h>i" ?>j',
  '</p title="a>b">c</div x=y/>d<p/ /a="b">e<p =">">f<p a= >g',
  '<a href="/1?a=b&copy=c&copy;d&amp=e&#38;f&notin;&notinx">x</a><img alt="&eacute&eacutes &#x27;">',
  '&notit;&notin;&amp;amp;&AMP&#;&#x;&#x110000;&#xd800;&#128;&#13;&#0065;&CounterClockwiseContourIntegral;',
  'a</',
  'b<!',
  'c<!-',
  'd<!--e',
  'f<?g',
  'h</i',
  'i<p class="j>k</p>',
  '<plaintext>a&amp;</plaintext><p>b',
  '<textarea>a',
  '<template>a<template>b</template><script></template></script>c</template>d',
  'a<x-y><template shadowrootmode=open><b>b</b><slot></slot><a href=/1>c</a></template>d</x-y>e',
  '<div><template SHADOWROOTMODE="Closed">a<template>b</template><p><template shadowrootmode=open>c</template>d</template>e',
  'a<template shadowrootmode=none>b</template>c<template shadowroot=open>d</template>e<template shadowrootmode>f</template>g',
  'a<template><template shadowrootmode=open>b</template>c</template>d</template>e',
  'a<template data-x shadowrootmode=openx>b</template>c<template id=1 shadowrootmode=closed shadowrootmode=x>d</template></template>e',
  'a<template shadowrootmode=open><script>b</script><style>c</style><h2>d</h2>e',
  '<iframe src=x><p>y</iframe><noframes>z</noframes><object><p>w</object>',
  '<select><option>a<option>b</select><input value=x>c<button>d</button>',
  '&nbsp;&lt;&#0;&#x110000;&#128;&amp;amp;&ampx&#65&#x41;',
  'a\0b\u00a0c\u2003d\r\ne',
  '<img alt="a"><img alt="b">c<image alt=d>e',
  '<map><area href=/1 alt=a><area href=/2><area nohref alt=b></map>c',
  '<br></br></p>a<p/>b<div/>c<span/>d',
  '<html lang=a><body><html lang=b><body>x</html>y',
  '<base href="//b.example/"><base href=/c/><a href=d>e</a>',
  '<h1>a<h2>b</h1>c</h2><dl><dt>d<dd>e</dl>f',
  '<ruby>a<rp>(</rp><rt>b</rt></ruby><details><summary>c</summary>d</details>',
  'unfinished <a href="/1',
  'unfinished <b',
  'unfinished &am',
  '<a href=/1>x',
  'a<body>b<p>c</p><html>d',
  '<a href=/1>x<p>y</p>z</a>w<a href=/2><div>v</div></a>',
];

/** Those of them that differ, and how. */
const HOSTILE_DIFFERENCES = {
  '<p>a<p>b</p></p>c</div>d': DROPPED_TAG,
  '<a href=/1>one<p>two<p>three': OPEN_ANCHOR,
  '<ul><li><a href=/1>x<li><a href=/2>y</ul>z': OPEN_ANCHOR,
  '</p title="a>b">c</div x=y/>d<p/ /a="b">e<p =">">f<p a= >g': DROPPED_TAG,
  'a\0b\u00a0c\u2003d\r\ne': NUL,
  'a<body>b<p>c</p><html>d': DROPPED_TAG,
};

test('hostile pages read as in the tree of the standard', () => {
  const differences = HOSTILE.map((html) => [html, differenceFromTree(html, URL_)] as const);
  assert.deepEqual(Object.fromEntries(differences.filter(([, name]) => name !== null)), HOSTILE_DIFFERENCES);
});

/**
 * No table parts and no frames: there the tree moves or drops text, which a single pass does not. No NUL, and no svg
 * or math that wants its end tag: see the head of `extract-html.ts`.
 */
const TOKENS = [
  ...[
    '<p>',
    '</p>',
    '<div>',
    '</div>',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<h2>',
    '</h2>',
    '<ul>',
    '<li>',
    '</li>',
    '</ul>',
  ],
  ...[
    '<a href=/1>',
    '<a href="/2">',
    '<a>',
    '</a>',
    '<br>',
    '<img alt=pic>',
    '<span>',
    '</span>',
    '<pre>',
    '</pre>',
  ],
  ...[
    '<!-- c -->',
    '<script>s</script>',
    '<style>t</style>',
    '<title>u</title>',
    '<textarea>v</textarea>',
    '</x>',
  ],
  ...[
    '<area href=/3 alt=w>',
    '<input>',
    '&amp;',
    '&shy;',
    '&nbsp;',
    ' ',
    '\n',
    'one',
    'two',
    'three',
    '<',
    '>',
    '&',
  ],
  ...[
    '<!--',
    '-->',
    '--!>',
    '<!-->',
    '<!',
    '<?',
    '</',
    '</ x>',
    '</>',
    '<!doctype html>',
    '"',
    "'",
    '=',
    '/',
    '-',
    '!',
  ],
  ...[
    '<script>',
    '</script>',
    '<script',
    '</script',
    '<style>',
    '</style>',
    '<title>',
    '</title>',
    '<xmp>',
    '</xmp>',
  ],
  ...[
    '<textarea>',
    '</textarea>',
    '<noscript>',
    '</noscript>',
    '<iframe>',
    '</iframe>',
    '<template>',
    '</template>',
  ],
  ...[
    '<a href="/2',
    "<img alt='x",
    'title=">"',
    '&notit;',
    '&#128;',
    '\r\n',
    '<svg/>',
    '<svg><path/><title>w</title><style>x</style></svg>',
    '<svg><br>',
  ],
  ...['<![CDATA[', ']]>', '<svg><foreignObject><p>y</p></foreignObject></svg>', '<math><mi>v</mi></math>'],
];

test('any soup of tags reads as in the tree of the standard', (t) => {
  const soup = fc
    .array(fc.constantFrom(...TOKENS), { maxLength: 18, size: 'max' })
    .map((tokens) => tokens.join(''));
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(soup, (html) => {
      const name = differenceFromTree(html, URL_);
      if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
    }),
    { seed: 11, numRuns: 2500 },
  );
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(Object.keys(counts).sort(), [OPEN_ANCHOR, DROPPED_TAG].sort());
  for (const [name, count] of Object.entries(counts)) assert.ok(count <= 85, `${name}: ${count} of 2,500`);
});

longTest('real pages read as in the tree of the standard', { skip: NO_ARCHIVE }, () => {
  const records = gunzipSync(readFileSync(ARCHIVE))
    .toString('latin1')
    .split(/^WARC\/1\.[01]\r\n/m);
  let compared = 0;
  for (const record of records) {
    const [warc = '', http = ''] = record.split('\r\n\r\n', 2);
    const url = /^WARC-Target-URI: <?(http[^\s>]+)/m.exec(warc)?.[1];
    const isHtml = /^WARC-Type: response/m.test(warc) && /^content-type: *text\/html/im.test(http);
    // One page in thirty: the tree takes its time.
    if (url === undefined || !isHtml || compared++ % 30 !== 0) continue;
    const body = Buffer.from(record.slice(warc.length + http.length + 8).replace(/\r\n\r\n$/, ''), 'latin1');
    const decoded = decodeBody(body, /charset=([\w-]+)/i.exec(http)?.[1] ?? null);
    assert.ok(decoded !== null, url);
    assert.equal(differenceFromTree(decoded.text, url), null, url);
  }
  assert.ok(compared > 100, `${compared} pages`);
});
