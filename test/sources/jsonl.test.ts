import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';
import { readBytes, textOf } from './archive-bytes.ts';

const ROWS = [
  {
    url: 'https://example.org/a',
    html: '<p>Ä</p>',
    title: 'A',
    fetched_at: '2024-05-06T07:08:09Z',
    links: ['/b'],
  },
  { url: 'https://example.org/b', text: 'plain', fetched_at: 1_714_979_289 },
  { url: 'https://example.org/c', html: '<p>', fetched_at: 1_714_979_289_000, title: null, other: { x: 1 } },
];
const LINES = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('');

const PASSED_FRAME = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 99, 0, 0, 0]);

test('JSON lines are read plain, in gzip and in zstd, with and without a last newline', async (t) => {
  const fetchedAtMs = Date.UTC(2024, 4, 6, 7, 8, 9);
  const inputs = [
    LINES,
    LINES.trimEnd(),
    `\ufeff${LINES}\n\n`,
    gzipSync(LINES),
    zstdCompressSync(LINES),
    // Frames that say how long the next one is, as pzstd writes them.
    Buffer.concat([
      PASSED_FRAME,
      zstdCompressSync(LINES.slice(0, 99)),
      PASSED_FRAME,
      zstdCompressSync(LINES.slice(99)),
    ]),
    LINES.replaceAll('\n', '\r\n'),
  ];
  for (const bytes of inputs) {
    const { captures, faults } = await readBytes(t, bytes);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      captures.map(({ url, mediaType, charset, title, links, ...rest }) => [
        url,
        mediaType,
        charset,
        title,
        links,
        rest.fetchedAtMs,
      ]),
      [
        ['https://example.org/a', 'text/html', 'utf-8', 'A', ['/b'], fetchedAtMs],
        ['https://example.org/b', 'text/plain', 'utf-8', null, [], fetchedAtMs],
        ['https://example.org/c', 'text/html', 'utf-8', null, [], fetchedAtMs],
      ],
    );
    assert.deepEqual(captures.map(textOf), ['<p>Ä</p>', 'plain', '<p>']);
  }
});

test('each bad line is a fault that names the line and what was wrong with it', async (t) => {
  const bad: readonly (readonly [string, RegExp])[] = [
    ['{"url": "https://example.org/", "html": "<p>', /not JSON/],
    [
      '{"url": "https://example.org/", "text": "a"}\r{"url": "https://example.org/b", "text": "b"}',
      /not JSON.*lines end with LF.*CR in it/,
    ],
    ['["https://example.org/"]', /expected a JSON object, got an array/],
    ['{"html": "<p>"}', /url: expected a string, got nothing/],
    ['{"url": 7, "html": "<p>"}', /url: expected a string, got a number/],
    ['{"url": "https://example.org/"}', /neither html nor text/],
    ['{"url": "https://example.org/", "html": {}}', /html: expected a string, got a object|an object/],
    [
      '{"url": "https://example.org/", "html": "<p>", "links": "/b"}',
      /links: expected an array of strings, got a string$/,
    ],
    [
      '{"url": "https://example.org/", "html": "<p>", "links": ["/b", {"url": "/c"}]}',
      /links: expected an array of strings, got one with an object$/,
    ],
    ['{"url": "https://example.org/", "html": "<p>", "fetched_at": "soon"}', /fetched_at: .*"soon"/],
    [
      '{"url": "https://example.org/", "html": "<p>", "fetched_at": "2026-02-30"}',
      /fetched_at: .*2026-02-30/,
    ],
    ['{"url": "https://example.org/", "html": "<p>", "fetched_at": 1e300}', /fetched_at: .*1e\+300/],
    ['{"url": "https://example.org/", "html": "<p>", "status": "ok"}', /status: expected a number/],
    [
      '{"url": "https://example.org/", "html": "<p>", "media_type": "text/plain"}',
      /media_type: .*"text\/plain"/,
    ],
    ['{"url": "https://example.org/", "text": "p", "media_type": "text/html"}', /media_type: goes with html/],
    [
      '{"url": "https://example.org/", "text": "p", "file_url": "https://other.example/a"}',
      /file_url: expected a URL of the site of the page, got "https:\/\/other\.example\/a"/,
    ],
    [
      '{"url": "https://example.org/", "text": "p", "file_url": "/index.html"}',
      /file_url: .*"\/index\.html"/,
    ],
  ];
  const lines = bad.map(([line]) => `${line}\n`).join('');
  const { captures, faults } = await readBytes(t, LINES + lines + LINES, { name: 'pages.jsonl' });
  assert.equal(captures.length, 2 * ROWS.length);
  assert.equal(faults.length, bad.length);
  for (const [index, fault] of faults.entries()) {
    assert.equal(fault.reason, 'unreadable');
    assert.match(fault.where, new RegExp(`pages\\.jsonl:${ROWS.length + index + 1}( |$)`));
    assert.match(fault.detail, bad[index]![1]);
  }
});

test('a first line that is broken does not keep a .jsonl file from being read', async (t) => {
  const { captures, faults } = await readBytes(t, `oops\n${LINES}`, { name: 'pages.jsonl' });
  assert.deepEqual([captures.length, faults.length], [ROWS.length, 1]);
});

test('JSON that is no lines is refused under the name of lines, too: some of its lines are records', async (t) => {
  const record = '{"url": "https://example.org/1", "text": "x"}';
  const inputs: readonly (readonly [string, RegExp])[] = [
    [`[\n  ${record},\n  ${record}\n]\n`, /a JSON array/],
    [`[${record},\n${record}]`, /a JSON array/],
    [`{ \r\n  "url": "https://example.org/1",\r\n  "text": "x"\r\n}`, /a JSON object of many lines/],
  ];
  for (const [text, looksLike] of inputs) {
    await assert.rejects(readBytes(t, text, { name: 'pages.jsonl' }), {
      code: 'AKIN_ERR_INPUT_UNREADABLE',
      message: looksLike,
      hint: 'write one object a line (JSON lines)',
    });
  }
});

test('status and location make redirects; other statuses are faults; an empty text is one of a page', async (t) => {
  const { captures, faults } = await readBytes(
    t,
    [
      '{"url": "https://example.org/old", "status": 301, "location": "/new"}',
      '{"url": "https://example.org/gone", "status": 410, "html": "gone"}',
      '{"url": "https://example.org/empty", "html": ""}',
      '{"url": "https://example.org/picture", "html": "\\u0001\\u0002 of a picture"}',
      '{"url": "https://example.org/log", "text": "\\u0001\\u0002 of a log"}',
    ].join('\n'),
  );
  assert.deepEqual(
    captures.map(({ status, location, body }) => [status, location, body.length]),
    [
      [301, '/new', 0],
      [200, null, 0],
      [200, null, 11],
    ],
  );
  assert.deepEqual(
    faults.map(({ reason, status }) => [reason, status]),
    [
      ['status', 410],
      ['binary', undefined],
    ],
  );
});

test('pages and lines above the limit are too large, and the next line is read', async (t) => {
  const large = [1_000_001, 9_000_000].map((sizeBytes) =>
    JSON.stringify({ url: 'https://example.org/', text: 'x'.repeat(sizeBytes) }),
  );
  const { captures, faults } = await readBytes(t, `${large.join('\n')}\n${LINES}`);
  assert.deepEqual(
    faults.map((fault) => fault.reason),
    ['too_large', 'too_large'],
  );
  assert.equal(captures.length, ROWS.length);
});

test('the last line of a cut gzip is truncated, even where it looks whole', async (t) => {
  const whole = gzipSync(LINES);
  for (const cutBytes of [1, 8, 20, 60]) {
    const { captures, faults } = await readBytes(t, whole.subarray(0, -cutBytes));
    assert.deepEqual(
      faults.map((fault) => fault.reason),
      ['truncated'],
    );
    assert.ok(captures.length <= ROWS.length);
  }
});

test('a line whose fields hold anything is one page or one fault that names the field', async (t) => {
  const NAMES = 'url html text title fetched_at links status location features image'.split(' ');
  const lineOf = (odd: Readonly<Record<string, string>>) => {
    const fields = { url: '"https://example.org/"', html: '"<p>page"', ...odd };
    return `{${Object.entries(fields).map(([name, json]) => `"${name}":${json}`)}}`;
  };
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.json({ stringUnit: anyCharacter }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('1e400', '-0', '1.5', '"2026-01-02"', '"\\ud800"', '["a"]', '200'),
    },
  );
  const line = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3 }).map(lineOf);
  // Deeper than a call stack.
  const deep = [
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  ];
  const lines = [
    ...fc.sample(line, { numRuns: 700, seed: 24 }),
    ...NAMES.flatMap((name) => deep.map((json) => lineOf({ [name]: json }))),
  ];
  const { items } = await readBytes(t, lines.join('\n'), { name: 'odd.jsonl' });
  assert.equal(items.length, lines.length);
  for (const [i, item] of items.entries()) {
    if (item.kind === 'capture') continue;
    assert.match(item.where, new RegExp(`odd\\.jsonl:${i + 1}( |$)`));
    assert.ok(item.detail.length < 200, item.detail);
  }
});

test('a line that is not UTF-8 is a fault, and costs no other line', async (t) => {
  const { captures, faults } = await readBytes(
    t,
    Buffer.concat([
      Buffer.from('{"url":"https://example.org/e","text":"caf\xe9"}\n', 'latin1'),
      Buffer.from(LINES),
    ]),
  );
  assert.equal(captures.length, ROWS.length);
  assert.deepEqual(
    faults.map(({ reason, where, detail }) => [reason, /:1$/.test(where), detail]),
    [['unreadable', true, 'the line is not valid UTF-8']],
  );
});
