import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalUrl, MAX_URL_LENGTH } from '../../src/url/canonical-url.ts';
import { webUrls } from './web-urls.ts';

const VECTORS = new URL('../../../shared/data/vectors/url/', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'the WHATWG URL vectors are not in ../shared/data';
const SEED = 20260101;

function expectCanonical(cases: Record<string, string | null>): void {
  for (const [input, expected] of Object.entries(cases)) assert.equal(canonicalUrl(input), expected, input);
}

test('scheme and host go to lower case, fragment, credentials and default port go away', () => {
  expectCanonical({
    'HTTP://Www.Example.ORG': 'http://www.example.org/',
    'https://example.org:443/a#b': 'https://example.org/a',
    'https://example.org:8443/a': 'https://example.org:8443/a',
    'http://ann:secret@example.org/': 'http://example.org/',
    'http://example.org/a/../b/./c?': 'http://example.org/b/c',
    'http://bücher.example/ä': 'http://xn--bcher-kva.example/%C3%A4',
    ' http://example.org/a b\n': 'http://example.org/a%20b',
  });
});

test('what is not http or https, or does not parse, has no canonical form', () => {
  expectCanonical({
    'mailto:ann@example.org': null,
    'javascript:void(0)': null,
    'ftp://example.org/': null,
    'data:text/html,x': null,
    '/relative': null,
    '': null,
    'http://': null,
    'http://a b/': null,
  });
});

test('a trailing dot of the host is dropped, an empty last label refused', () => {
  expectCanonical({
    'http://example.org./a': 'http://example.org/a',
    'http://example.org.:8080/a': 'http://example.org:8080/a',
    'http://example.org../a': null,
    'http://1../': null,
    'http://./': null,
  });
});

test('escapes are written in one way', () => {
  expectCanonical({
    'http://example.org/%7eann/%c3%a9?q=%2fa%2Db': 'http://example.org/~ann/%C3%A9?q=%2Fa-b',
    'http://example.org/100%/%zz/%%34%31': 'http://example.org/100%25/%25zz/%2541',
    'http://example.org/a/%2e%2E/b': 'http://example.org/b',
    'http://example.org/?a=\\"\'': 'http://example.org/?a=%5C%22%27',
  });
});

test('tracking parameters go, the others keep their order', () => {
  expectCanonical({
    'http://example.org/?utm_source=x&b=1&a=2&utm_Medium=y': 'http://example.org/?b=1&a=2',
    'http://example.org/?gclid=x&fbclid=y': 'http://example.org/',
    'http://example.org/?%75tm_source=x': 'http://example.org/',
    'http://example.org/?a&&b=': 'http://example.org/?a&&b=',
    'http://example.org/?ref=utm_source': 'http://example.org/?ref=utm_source',
  });
});

test('session ids go where they can be nothing else', () => {
  expectCanonical({
    'http://example.org/a;jsessionid=0A1B.n1/b;v=2?x=1': 'http://example.org/a/b;v=2?x=1',
    'http://example.org/a/..;jsessionid=1/b': 'http://example.org/a/..;jsessionid=1/b',
    'http://example.org/?PHPSESSID=abc&x=1': 'http://example.org/?x=1',
    'http://example.org/?sid=9f86d081884c7d659a2feaa0c55ad015&x=1': 'http://example.org/?x=1',
    'http://example.org/?sid=12': 'http://example.org/?sid=12',
    'http://example.org/?sid=springsemester': 'http://example.org/?sid=springsemester',
  });
});

test('a relative reference is resolved against the base', () => {
  assert.equal(canonicalUrl('../c?d#e', 'http://example.org/a/b/'), 'http://example.org/a/c?d');
  assert.equal(canonicalUrl('//example.com', 'https://example.org/'), 'https://example.com/');
  assert.equal(canonicalUrl('', 'https://example.org/a#b'), 'https://example.org/a');
});

test('the length limit is measured on the result', () => {
  const longest = `http://example.org/${'a'.repeat(MAX_URL_LENGTH - 19)}`;
  assert.equal(canonicalUrl(longest), longest);
  assert.equal(canonicalUrl(`${longest}a`), null);
  assert.equal(canonicalUrl(`${longest}?utm_source=1#c`), longest);
  assert.equal(canonicalUrl(`http://example.org/${'é'.repeat(400)}`), null);
});

/** The documented rules once more, character by character, applied to the parser's own `href`. */
function restated(href: string): string | null {
  const url = new URL(href);
  if (!/^https?:$/.test(url.protocol)) return null;
  const [, authority = '', path = '', query = ''] = /^https?:\/\/([^/]*)([^?#]*)\??([^#]*)/.exec(url.href)!;
  const [, name = '', port = ''] = /^(.*?)\.?(:\d+)?$/.exec(authority.slice(authority.lastIndexOf('@') + 1))!;
  if (name === '' || name.endsWith('.') || name.includes('"')) return null;
  const plain = unescapeSlowly(path).replaceAll('\\', '%5C');
  const search = unescapeSlowly(query).replaceAll('\\', '%5C');
  const result = `${url.protocol}//${name}${port}${plain}${search === '' ? '' : `?${search}`}`;
  return result.length > MAX_URL_LENGTH ? null : result;
}

function unescapeSlowly(part: string): string {
  let out = '';
  for (let i = 0; i < part.length; i++) {
    const hex = part.slice(i + 1, i + 3);
    if (part[i] !== '%') out += part[i];
    else if (!/^[0-9a-f]{2}$/i.test(hex)) out += '%25';
    else {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      out += /^[A-Za-z0-9._~-]$/.test(character) ? character : `%${hex.toUpperCase()}`;
      i += 2;
    }
  }
  return out;
}

interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly href?: string;
  readonly failure?: boolean;
}

test('every WHATWG case gives the href of the standard but for the named rules', { skip: NO_VECTORS }, () => {
  const cases = JSON.parse(readFileSync(new URL('urltestdata.json', VECTORS), 'utf8')) as (
    | UrlCase
    | string
  )[];
  let compared = 0;
  let untouched = 0;
  for (const vector of cases) {
    if (typeof vector === 'string') continue;
    const label = JSON.stringify([vector.input, vector.base]);
    const result = canonicalUrl(vector.input, vector.base ?? undefined);
    const expected = vector.failure === true ? null : restated(vector.href!);
    assert.equal(result, expected, label);
    compared++;
    if (result !== null && result === vector.href) untouched++;
    if (result !== null) assert.equal(canonicalUrl(result), result, label);
  }
  assert.ok(compared > 800 && untouched > 150, `${compared} compared, ${untouched} untouched`);
});

test('international host names keep their canonical form', { skip: NO_VECTORS }, () => {
  const cases = JSON.parse(readFileSync(new URL('IdnaTestV2.json', VECTORS), 'utf8')) as (
    | { input: string }
    | string
  )[];
  let valid = 0;
  for (const vector of cases) {
    if (typeof vector === 'string') continue;
    const result = canonicalUrl(`https://${vector.input}/x`);
    if (result === null) continue;
    valid++;
    assert.equal(canonicalUrl(result), result, JSON.stringify(vector.input));
  }
  assert.ok(valid > 500, `${valid} valid`);
});

const PIECES = [
  ...[
    'http:',
    'https://',
    '//',
    '/',
    '\\',
    '.',
    '..',
    ':',
    ':80',
    ':8080',
    '@',
    '?',
    '&',
    '=',
    '#',
    ';',
    '%',
  ],
  ...[
    '%2e',
    '%2E',
    '%7e',
    '%25',
    '%5c',
    '%zz',
    '%3f',
    '%23',
    '%80',
    'utm_',
    'sid',
    'gclid=1',
    '+',
    ' ',
    '\t',
    '"',
  ],
  ...[
    ';jsessionid=1',
    'example.org',
    'EXAMPLE.org',
    'www.',
    'a',
    'xn--bcher-kva',
    'xn--a',
    'ü',
    '食',
    '1',
    '0x7f',
  ],
  ...[
    '[::1]',
    '127.1',
    'localhost',
    "'",
    '<',
    '|',
    '^',
    '`',
    '{',
    '\ud800',
    '9f86d081884c7d659a2f',
    '\u00ad',
    '-',
  ],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
const rooted = hostile.map((tail) => `http://example.org${tail}`);
const anyUrl = fc.oneof(hostile, rooted, webUrls, fc.string());
const RUNS = { seed: SEED, numRuns: 20_000 };

/** A blank before a URL means nothing, but no URL with one is plain. */
const theFullWay = (input: string) => canonicalUrl(` ${input}`);

test('the canonical form is its own canonical form and safe inside JSON', () => {
  let valid = 0;
  fc.assert(
    fc.property(anyUrl, (input) => {
      const result = canonicalUrl(input);
      if (result === null) return;
      valid++;
      assert.equal(canonicalUrl(result), result);
      assert.equal(theFullWay(result), result);
      assert.match(result, /^https?:\/\/[\x21\x23-\x5b\x5d-\x7e]+$/);
    }),
    RUNS,
  );
  assert.ok(valid > RUNS.numRuns / 4, `${valid} valid`);
});

test('the short way answers as the full way does', () => {
  const labels = fc.constantFrom(
    'a',
    'b-c',
    '-d',
    'xn--e',
    'xn--bcher-kva',
    '7',
    '0x7',
    'org',
    'com',
    'F',
    'g_h',
    '',
  );
  const segments = fc.constantFrom(
    'a',
    '.',
    '..',
    '.well-known',
    '~b',
    'C',
    '',
    '(d)',
    "e'f",
    '*',
    '%41',
    ';x',
    '@:',
  );
  const short = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTP://', 'ftp://'),
      fc.array(labels, { minLength: 1, maxLength: 4 }),
      fc.array(segments, { maxLength: 5 }),
      fc.constantFrom(
        ...['', '#', '#a b', '?', '?a=1', '?a=/.&b', '?%41%zz&c=%2f', "?a'b", '?a\\b', '?gclid=1&a?b'],
      ),
    )
    .map(([scheme, host, path, tail]) => `${scheme}${host.join('.')}/${path.join('/')}${tail}`);
  fc.assert(
    fc.property(fc.oneof(short, anyUrl), (input) => {
      assert.equal(canonicalUrl(input), theFullWay(input));
    }),
    RUNS,
  );
});
