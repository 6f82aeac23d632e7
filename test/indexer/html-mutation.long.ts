/**
 * Twenty thousand pages of broken HTML: bytes, tags and attributes of hand-made pages lost, doubled, exchanged and piled
 * up. Each is read in bounded time, the same way whatever was read before it; and a build has each as a page or says
 * why not.
 */
import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { extractPage } from '../../src/page/extract-page.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { processorMs } from '../processor-time.ts';
import { warcRecord } from '../sources/archive-bytes.ts';
import { build, input, temporaryFolder } from './build.ts';

const PAGES = 20_000;
const MOST_MUTATIONS = 12;
const MOST_LENGTH = 40_000;
/** Of the processor, for a page of some kilobytes. */
const MOST_PAGE_MS = 50;
const MAX_TITLE_LENGTH = 500;
const BROKEN_CODES = [
  '&',
  '&#',
  '&#x110000;',
  '&#0;',
  '&notit;',
  '&amp',
  '&#xd800;',
  '&CounterClockwiseContourIntegral;',
];

const PARAGRAPH =
  'Bread rises <b>slowly</b> in a cold room, and <i>the crust <a href="/crust">sings</i> later</a>.';

/** Pages of every part of HTML that is read in a way of its own. */
const SEEDS: readonly string[] = [
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bread &amp; salt</title>
<link rel="canonical" href="/bread.html"><meta name="description" content="about bread"></head>
<body><h1>Bread</h1><p>${PARAGRAPH}<p>Yeast &mdash; or none &#x2014; <img src="a.png" alt="a loaf">.</body></html>`,
  `<html><head><base href="https://other.example/a/"><title>Links</title></head><body>
<ul><li><a href="one?x=1&y=2#top">one</a><li><a href='two' rel=nofollow>two</a><li><a href=three>three</a></ul>
<map><area href="four" alt="area four"></map><a href="javascript:void(0)">none</a><a name="here">here</a></body></html>`,
  `<table><caption>Loaves</caption><tr><th>rye<td>wheat</tr><tr><td><table><tr><td>inner</table><td>outer</table>
<form><select><option>small<option selected>large</select><textarea>
 free <b>text</textarea><button>Buy</button></form>`,
  `<script>var a = "<p>not text</p>"; if (a < 1 && b > 2) document.write("<!-- </scr" + "ipt>");</script>
<style>p > a { color: red }</style><noscript><p>without script</noscript><template><p>in a template</template>
<p>after the script</p><script><!-- <script> </script> --></script><p>at the end`,
  `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN"><html><head><title>Frames</title></head>
<frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"><noframes>no frames</noframes></frameset></html>`,
  `<html><body><svg viewBox="0 0 1 1"><title>icon</title><path d="M0 0"/><foreignObject><p>foreign</p></foreignObject></svg>
<math><mi>x</mi><annotation-xml encoding="text/html"><p>note</p></annotation-xml></math><p>behind ${PARAGRAPH}</body></html>`,
  `<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>Caf\u00e9</title></head>
<body><p>Cr\u00e8me br\u00fbl\u00e9e, \u00fcber &eacute;t&eacute; Donau&shy;dampf foo<wbr>bar</p></body></html>`,
  `<html><head><meta charset="shift_jis"><title>Roses</title><meta name="robots" content="noarchive"></head><body>
<p>\u85c7\u8587 rose <ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p></body></html>`,
  `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head><title>X</title>
</head><body><p>eins<br/>zwei<![CDATA[ drei & vier ]]></p><!-- a -- comment --><p/>f\u00fcnf</body></html>`,
  `<div><div><div><p>${PARAGRAPH.repeat(12)}</div></div><hr><pre>
  kept   space
</pre><blockquote>quoted</blockquote></div><dl><dt>term<dd>its meaning<dt>other<dd>another</dl>`,
  `Only text, with a < b and c > d, an & and "quotes".\n\n${'A line of words that says little.\n'.repeat(20)}`,
  `<html><head><title>Media</title></head><body><video controls><p>no video</video><object data="a"><p>no object</object>
<iframe src="x">frame text</iframe><canvas>no canvas</canvas><details><summary>more</summary>hidden text</details>
<input value="a value" placeholder="a hint"><p hidden>not shown</p><a href="//c.example/x"><img alt="picture link"></a></body></html>`,
];

type Mutation = (page: string, random: Random) => string;

const cut = (page: string, at: number, size: number, instead = '') =>
  page.slice(0, at) + instead + page.slice(at + size);

/** Where a tag stands, by chance; the whole page where it has none. */
function tagOf(page: string, random: Random): [at: number, size: number] {
  const tags = [...page.matchAll(/<[^>]*>?/g)];
  const tag = tags[random.below(Math.max(1, tags.length))];
  return tag === undefined ? [0, page.length] : [tag.index, tag[0].length];
}

/** Changes one tag. */
const ofTag =
  (change: (tag: string, random: Random) => string): Mutation =>
  (page, random) => {
    const [at, size] = tagOf(page, random);
    return cut(page, at, size, change(page.slice(at, at + size), random));
  };

const letter = (random: Random) => String.fromCharCode(random.below(random.below(8) === 0 ? 0x3000 : 0x100));

const MUTATIONS: readonly Mutation[] = [
  // Characters.
  (page, random) => cut(page, random.below(page.length + 1), 1, letter(random)),
  (page, random) => cut(page, random.below(page.length + 1), 1 + random.below(40)),
  (page, random) => cut(page, random.below(page.length + 1), 0, letter(random).repeat(1 + random.below(60))),
  (page, random) => page.slice(0, random.below(page.length + 1)),
  (page, random) => page.slice(random.below(page.length + 1)),
  (page, random) =>
    cut(page, random.below(page.length + 1), 0, BROKEN_CODES[random.below(BROKEN_CODES.length)]),
  (page, random) =>
    cut(
      page,
      random.below(page.length + 1),
      0,
      ['<', '</', '<!', '<!--', '-->', '<?', ']]>'][random.below(7)],
    ),
  // Tags.
  ofTag(() => ''),
  ofTag((tag) => tag + tag),
  ofTag((tag, random) => tag.repeat(1 + random.below(Math.ceil(10_000 / (1 + tag.length))))),
  ofTag((tag) => tag.replace('<', '</')),
  ofTag((tag) => tag.replace('>', '/>')),
  ofTag((tag) => tag.slice(0, -1)),
  ofTag((tag) => tag.toUpperCase()),
  ofTag((tag, random) =>
    tag.replace(
      /[a-z0-9]+/i,
      ['p', 'a', 'table', 'script', 'svg', 'title', 'textarea', 'plaintext', 'x-y'][random.below(9)]!,
    ),
  ),
  (page, random) => {
    const [at, size] = tagOf(page, random);
    return cut(page, random.below(page.length + 1), 0, page.slice(at, at + size));
  },
  (page, random) => {
    const [at, size] = tagOf(page, random);
    const tag = page.slice(at, at + size);
    return cut(page, at, size) + tag;
  },
  // Attributes.
  ofTag((tag) => tag.replace(/["']/g, '')),
  ofTag((tag) => tag.replace(/["']/, '')),
  ofTag((tag) => tag.replace(/=/, ' = ')),
  ofTag((tag) => tag.replace(/=.*/s, '>')),
  ofTag((tag, random) =>
    tag.replace(/>$/, ` ${'a'.repeat(random.below(50))}=${letter(random).repeat(random.below(5000))}>`),
  ),
  ofTag((tag, random) => tag.replace(/>$/, `${' x=1'.repeat(random.below(300))}>`)),
  ofTag((tag) => tag.replace(/>$/, ' href="/again" href=second content="noindex" name=robots>')),
  ofTag((tag) => tag.replace(/(href|src|content|lang)=/i, 'style=')),
  ofTag((tag, random) =>
    tag.replace(
      /"[^"]*"/,
      `"${['http://[', '//', 'http://a.example:99999/', '%%%', '?', 'data:x'][random.below(6)]}"`,
    ),
  ),
];

/** The `number`th page, in bytes: some are in UTF-16 or Latin-1, whatever they say; of some, bytes are lost too. */
function pageOf(number: number, random: Random): Buffer {
  let page = SEEDS[number % SEEDS.length]!;
  for (let left = 1 + random.below(MOST_MUTATIONS); left > 0; left--) {
    page = MUTATIONS[random.below(MUTATIONS.length)]!(page, random).slice(0, MOST_LENGTH);
  }
  const bytes = Buffer.from(page, (['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'] as const)[random.below(5)]);
  for (let left = random.below(4); left > 0 && bytes.length > 0; left--) {
    bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
  }
  return bytes;
}

function pages(): Buffer[] {
  const random = new Random(11);
  return Array.from({ length: PAGES }, (_, number) => pageOf(number, random));
}

const urlOf = (number: number) => `https://example.org/${number}`;

function read(body: Buffer, number: number) {
  const decoded = decodeBody(body, number % 3 === 0 ? 'utf-8' : null);
  if (decoded === null) return null;
  const mediaType = [null, 'text/html', 'text/html', 'application/xhtml+xml', 'text/plain'][number % 5]!;
  const { links, card, ...page } = extractPage(decoded.text, mediaType, urlOf(number));
  return { ...page, links: links(), card: card(), sourceLength: decoded.text.length };
}

test('broken HTML is read in bounded time, and the same way whatever was read before', (t) => {
  const bodies = pages();
  let slowestMs = 0;
  let binaryCount = 0;
  for (const [number, body] of bodies.entries()) {
    const timeMs = () => processorMs(() => read(body, number));
    let pageMs = timeMs();
    // Garbage of other pages may be collected meanwhile.
    for (let tries = 0; tries < 4 && pageMs > MOST_PAGE_MS; tries++) pageMs = Math.min(pageMs, timeMs());
    slowestMs = Math.max(slowestMs, pageMs);
    assert.ok(pageMs <= MOST_PAGE_MS, `page ${number} of ${body.length} bytes took ${pageMs} ms`);
    const page = read(body, number);
    if (page === null) {
      binaryCount++;
      continue;
    }
    const { title, text, links, canonical, sourceLength } = page;
    assert.ok(title.length <= MAX_TITLE_LENGTH, `page ${number}: a title of ${title.length}`);
    assert.ok(text.length <= 2 * sourceLength, `page ${number}: more text than source`);
    for (const url of [canonical ?? urlOf(0), ...links.kept.map(({ target }) => target)]) {
      assert.match(url, /^https?:\/\/[^/]/, `page ${number}`);
    }
    for (const { start, end } of links.kept) {
      assert.ok(
        0 <= start && start <= end && end <= text.length,
        `page ${number}: an anchor ${start} to ${end}`,
      );
    }
    const other = (number * 7919) % PAGES;
    read(bodies[other]!, other);
    assert.deepEqual(read(body, number), page, `page ${number} is read another way behind page ${other}`);
  }
  t.diagnostic(`slowest ${slowestMs.toFixed(1)} ms, ${binaryCount} are binary`);
  assert.ok(binaryCount < PAGES / 4, 'most are pages');
});

test('a build has each page of broken HTML, or says why not', async (t) => {
  const path = join(temporaryFolder(t), 'pages.warc');
  const file = createWriteStream(path);
  for (const [number, body] of pages().entries()) {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`;
    file.write(warcRecord('response', urlOf(number), Buffer.concat([Buffer.from(head), body])));
  }
  file.end();
  await finished(file);
  const { report, reader, noted, target } = await build(t, { inputs: [input(path)], workerCount: 2 });
  const { recordCount, fetchedPageCount, skipped } = report;
  t.diagnostic(JSON.stringify({ recordCount, fetchedPageCount, skipped, ms: Math.round(report.durationMs) }));
  assert.equal(recordCount, PAGES);
  const skippedSum = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  assert.equal(fetchedPageCount + skippedSum, PAGES);
  const named = new Set(noted.faults.map(({ url }) => url));
  let foundCount = 0;
  for (let number = 0; number < PAGES; number++) {
    const url = urlOf(number);
    const isFound = reader.findPage(url) >= 0;
    if (isFound) foundCount++;
    assert.ok(isFound || named.has(url), `${url} is no page, and nothing is said of it`);
  }
  assert.ok(foundCount > PAGES / 2, `${foundCount} pages`);
  assert.deepEqual(checkIndex(target).faults, []);
});
