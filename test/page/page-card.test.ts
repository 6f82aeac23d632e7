import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cardDate, isPublishedBefore, isPublishedSince, NO_CARD } from '../../src/page/card/page-card.ts';
import { extractHtml } from '../../src/page/extract-html.ts';

const cardOf = (html: string) => extractHtml(html, 'https://blog.example/post/').card();
const linkedData = (data: unknown) =>
  `<script type="application/ld+json">${typeof data === 'string' ? data : JSON.stringify(data)}</script>`;

test('a card is what Open Graph says, and what else the head says', () => {
  assert.deepEqual(
    cardOf(`<head>
      <meta name="description" content="  How to
        bake &amp; cool bread. ">
      <meta property="og:description" content="not this one">
      <meta property="og:image" content="https://cdn.example/loaf.jpg?w=1200&amp;h=630">
      <meta name="twitter:image" content="https://cdn.example/other.jpg">
      <meta property="og:site_name" content="The Baker">
      <meta property="article:published_time" content="2024-05-01T23:30:00-04:00">
      <meta property="article:modified_time" content="2024-05-07T08:00:00.123Z">`),
    {
      image: 'https://cdn.example/loaf.jpg?w=1200&h=630',
      description: 'How to bake & cool bread.',
      publishedAt: '2024-05-02T03:30:00Z',
      modifiedAt: '2024-05-07T08:00:00Z',
      siteName: 'The Baker',
    },
  );
});

test('a page that says nothing has no card', () => {
  assert.deepEqual(cardOf('<title>x</title><meta name=description content=" "><p>text'), NO_CARD);
});

test('images that are relative, too long or no web address are passed over', () => {
  const image = (...urls: string[]) =>
    cardOf(
      urls.map((url, i) => `<meta property="og:image${i === 0 ? '' : ':url'}" content="${url}">`).join(''),
    ).image;
  assert.equal(image('/loaf.jpg'), null);
  assert.equal(image('javascript:alert(1)'), null);
  assert.equal(image('data:image/png;base64,AAAA'), null);
  assert.equal(image('https://'), null);
  assert.equal(image(`https://cdn.example/${'x'.repeat(5000)}`), null);
  assert.equal(image('/loaf.jpg', 'http://cdn.example/a b&quot;c.png'), 'http://cdn.example/a%20b%22c.png');
});

test('a long description ends behind a word, at 300 characters at most', () => {
  const { description } = cardOf(`<meta name="description" content="${'seven77 '.repeat(100)}">`);
  assert.equal(description, `${'seven77 '.repeat(37).trimEnd()}…`);
  assert.ok(cardOf(`<meta name="description" content="${'x'.repeat(900)}">`).description!.length === 300);
});

test('JSON-LD gives dates and images, alone, in a list or in a graph, but not of the publisher', () => {
  const article = {
    '@type': 'BlogPosting',
    image: [{ '@type': 'ImageObject', url: 'https://cdn.example/a.jpg' }],
    datePublished: '2023-01-31',
    dateModified: '2023-02-01T09:00:00+01:00',
    description: 'From the script.',
  };
  const publisher = {
    '@type': 'Organization',
    image: 'https://cdn.example/logo.png',
    description: 'We sell.',
  };
  for (const data of [
    article,
    [publisher, article],
    { '@context': 'https://schema.org', '@graph': [publisher, article] },
  ]) {
    assert.deepEqual(cardOf(linkedData(data)), {
      image: 'https://cdn.example/a.jpg',
      description: 'From the script.',
      publishedAt: '2023-01-31',
      modifiedAt: '2023-02-01T08:00:00Z',
      siteName: null,
    });
  }
});

test('JSON-LD that is broken, too large or another script is passed over', () => {
  const good = { datePublished: '2023-01-31' };
  assert.deepEqual(cardOf(linkedData('{"datePublished": "2023-01-31"')), NO_CARD);
  assert.deepEqual(cardOf(linkedData('[null, 3, "x", [[]]]')), NO_CARD);
  assert.deepEqual(
    cardOf(linkedData({ image: { url: 7 }, datePublished: 2023, description: ['a'] })),
    NO_CARD,
  );
  assert.deepEqual(cardOf(linkedData({ ...good, filler: 'x'.repeat(70_000) })), NO_CARD);
  assert.deepEqual(cardOf(`<script>${JSON.stringify(good)}</script>`), NO_CARD);
  assert.equal(cardOf(linkedData('{') + linkedData(good)).publishedAt, '2023-01-31');
  assert.equal(extractHtml(`${linkedData(good)}<p>text`, 'https://a.example/').text, 'text');
});

test('JSON-LD may hold anything', () => {
  const NAMES = [
    '@type',
    '@graph',
    'image',
    'url',
    'contentUrl',
    'description',
    'datePublished',
    'toString',
    'valueOf',
  ];
  const node = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, 1, true, 'Person', 'https://cdn.example/a.jpg', '2024-05-01'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(node, (data) => {
      const { description } = cardOf(linkedData(data));
      assert.ok(description === null || typeof description === 'string');
    }),
    { numRuns: 800 },
  );
  // Deeper than a call stack.
  for (const name of NAMES) {
    cardOf(linkedData(`{"${name}":${'['.repeat(50_000)}${']'.repeat(50_000)}}`));
    cardOf(linkedData(`{"${name}":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`));
  }
});

test('a date beside the heading counts, one further down or in a list of pages does not', () => {
  const time = (day: string) => `<time datetime="${day}">some day</time>`;
  assert.equal(cardOf(`<h1>Bread</h1><p>by Ann, ${time('2022-03-04')}<p>text`).publishedAt, '2022-03-04');
  assert.equal(cardOf(`<h1>Bread</h1><p>${'word '.repeat(200)}${time('2022-03-04')}`).publishedAt, null);
  assert.equal(cardOf(`<p>${time('2022-03-04')}`).publishedAt, null);
  const list = ['2022-03-04', '2022-02-01', '2022-01-01'].map((day) => `<li>${time(day)} a post`).join('');
  assert.equal(cardOf(`<h1>All posts</h1>${list}`).publishedAt, null);
  assert.equal(
    cardOf(`<meta name="DC.date" content="2020-01-01"><h1>x</h1>${time('2022-03-04')}`).publishedAt,
    '2020-01-01',
  );
});

test('dates are days as stated or times in UTC; what is no date is none', () => {
  const cases: [string, string | null][] = [
    ['2024-02-29', '2024-02-29'],
    [' 2024-05-01 10:00:00 ', '2024-05-01'],
    ['2024-05-01T10:00', '2024-05-01'],
    ['2024-05-01T10:00Z', '2024-05-01T10:00:00Z'],
    ['2024-05-01T10:00:00+0530', '2024-05-01T04:30:00Z'],
    ['2023-02-29', null],
    ['2024-13-01', null],
    ['2024-05-01T25:00:00Z', null],
    ['0001-01-01T00:00:00Z', null],
    ['May 1, 2024', null],
    ['2024', null],
    ['', null],
  ];
  for (const [text, date] of cases) assert.equal(cardDate(text), date, text);
});

test('a day begins at midnight UTC, whatever it is compared with', () => {
  const days = ['2024-04-30', '2024-05-01', '2024-05-02'];
  const dates = days.flatMap((day) => [day, `${day}T00:00:00Z`, `${day}T00:00:01Z`, `${day}T23:59:59Z`]);
  for (const publishedAt of dates) {
    for (const date of dates) {
      const isSince = Date.parse(publishedAt) >= Date.parse(date);
      const card = { ...NO_CARD, publishedAt };
      assert.equal(isPublishedSince(card, date), isSince, `${publishedAt} since ${date}`);
      assert.equal(isPublishedBefore(card, date), !isSince, `${publishedAt} before ${date}`);
    }
  }
});

test('a long description is cut between letters', () => {
  for (let before = 0; before < 2; before++) {
    const text = `${'x'.repeat(before)}${'\u{1F375}'.repeat(200)}`;
    const { description } = cardOf(`<meta name="description" content="${text}">`);
    assert.ok(text.startsWith(description!.slice(0, -1)) && description!.length > 290, description!);
  }
});
