import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { extractHtml } from '../../src/page/extract-html.ts';
import { HtmlScanner } from '../../src/page/html/html-scanner.ts';
import { type Token, tokensOf } from './html5lib-tokens.ts';

const VECTORS = new URL('../../../shared/data/vectors/html5lib-tests/tokenizer/', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'the html5lib vectors are not in ../shared/data';

interface Vector {
  readonly file: string;
  readonly state: string;
  readonly lastStartTag: string;
  readonly input: string;
  readonly output: Token[];
}

interface VectorFile {
  readonly tests?: readonly WrittenVector[];
  readonly xmlViolationTests?: readonly WrittenVector[];
}

interface WrittenVector {
  readonly input: string;
  readonly output: readonly (readonly [string, ...unknown[]])[];
  readonly initialStates?: readonly string[];
  readonly lastStartTag?: string;
  readonly doubleEscaped?: boolean;
}

function* vectors(): Generator<Vector> {
  for (const file of globSync('*.test', { cwd: VECTORS }).sort()) {
    const { tests, xmlViolationTests } = JSON.parse(
      readFileSync(new URL(file, VECTORS), 'utf8'),
    ) as VectorFile;
    for (const written of tests ?? xmlViolationTests ?? []) {
      const unescaped = written.doubleEscaped ? unescapeTwice(written) : written;
      for (const state of written.initialStates ?? ['Data state']) {
        yield inState({ ...unescaped, lastStartTag: written.lastStartTag ?? '' }, file, state);
      }
    }
  }
}

function unescapeTwice({ input, output }: WrittenVector) {
  const read = (text: string) =>
    text.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    input: read(input),
    output: JSON.parse(JSON.stringify(output), (_, value) =>
      typeof value === 'string' ? read(value) : value,
    ),
  };
}

/** An element that no page has in this state is called by the name of one it has. */
function inState(vector: Omit<WrittenVector, 'initialStates'>, file: string, state: string): Vector {
  const known = (text: string) => (state === 'RCDATA state' ? text.replace(/xmp|textarea/gi, 'title') : text);
  const output = JSON.parse(known(JSON.stringify(vector.output))) as WrittenVector['output'];
  return {
    file,
    state,
    lastStartTag: vector.lastStartTag ?? '',
    input: known(vector.input),
    // What a doctype says is not read.
    output: output.map((token) => (token[0] === 'DOCTYPE' ? ['DOCTYPE'] : token) as Token),
  };
}

/** What differs from the vectors, why it may, and how many do. */
const TOLERATED: Record<string, { readonly count: number; holds(vector: Vector, tokens: Token[]): boolean }> =
  {
    'a comment that the page ends in keeps its last dashes, which no one reads': {
      count: 13,
      holds({ input, output }, tokens) {
        const last = tokens.at(-1);
        if (last?.[0] !== 'Comment' || !/-!?$/.test(input)) return false;
        last[1] = last[1].replace(/--?!?$/, '');
        return isSame(tokens, output);
      },
    },
    'vectors for a reader that must hand the page on as XML': {
      count: 3,
      holds: ({ file }) => file === 'xmlViolation.test',
    },
    'a script that ends at the end tag of another element: no page gets there': {
      count: 1,
      holds: ({ state, lastStartTag }) => state === 'Script data state' && lastStartTag === 'xmp',
    },
  };

function isSame(tokens: Token[], expected: Token[]): boolean {
  return JSON.stringify(tokens) === JSON.stringify(expected);
}

test('the tokens are those of the html5lib vectors', { skip: NO_VECTORS }, () => {
  const counts: Record<string, number> = {};
  let compared = 0;
  for (const vector of vectors()) {
    compared++;
    const tokens = tokensOf(vector.input, vector.state);
    if (isSame(tokens, vector.output)) continue;
    const why = Object.entries(TOLERATED).find(([, { holds }]) =>
      holds(vector, structuredClone(tokens)),
    )?.[0];
    if (why === undefined) assert.deepEqual(tokens, vector.output, JSON.stringify(vector));
    else counts[why] = (counts[why] ?? 0) + 1;
  }
  assert.ok(compared > 7000, `${compared} vectors`);
  assert.deepEqual(
    counts,
    Object.fromEntries(Object.entries(TOLERATED).map(([why, { count }]) => [why, count])),
  );
});

test('what the vectors take for text is the text of the page', { skip: NO_VECTORS }, () => {
  let compared = 0;
  for (const { file, state, input, output } of vectors()) {
    if (file === 'xmlViolation.test') continue;
    const isText =
      state === 'Data state' && output.every(([kind]) => kind === 'Character' || kind === 'Comment');
    if (!isText) continue;
    compared++;
    const text = output.map(([kind, data]) => (kind === 'Character' ? data : '')).join('');
    const tidied = text
      .replace(/[\u00ad\u200b\u2060]/g, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed();
    assert.equal(extractHtml(input, 'http://example.org/').text, tidied, JSON.stringify(input));
  }
  assert.ok(compared > 5000, `${compared} vectors`);
});

test('a tag is read with its attributes, quoted or not, empty or twice', () => {
  const [tag] = tokensOf(`<A HREF=/x?a=1&amp;b title='"' =y/z b = "1>2" href=/no checked/>`, 'Data state');
  assert.deepEqual(tag, [
    'StartTag',
    'a',
    { href: '/x?a=1&b', title: '"', '=y': '', z: '', b: '1>2', checked: '' },
    true,
  ]);
});

test('an attribute is found behind any number of others, the first of its name', () => {
  const others = Array.from({ length: 70 }, (_, i) => `b${i}="${i}"`);
  for (const place of [0, 31, 32, 33, 70]) {
    const written = others.toSpliced(place, 0, 'href=/here');
    const { links, text } = extractHtml(`<a ${written.join(' ')} href=/there>c</a>`, 'https://example.org/');
    assert.equal(text, 'c');
    assert.deepEqual(links().kept[0]?.target, 'https://example.org/here', `${place}`);
    assert.equal(extractHtml(`<img ${others.slice(0, place).join(' ')}>`, 'https://example.org/').text, '');
  }
});

test('any number of attributes is asked for by name', () => {
  const names = Array.from({ length: 100 }, (_, i) => `data-name-${i}`);
  const scanner = new HtmlScanner(`<a ${names.map((name, i) => `${name}=${i}`).join(' ')}><b>`, false);
  scanner.next();
  for (const [i, name] of [...names.entries(), ...names.entries()]) {
    assert.equal(scanner.attribute(name), String(i));
  }
  assert.equal(scanner.attribute('x'.repeat(1 << 16)), null);
  scanner.next();
  assert.equal(scanner.attribute(names[0]!), null);
});

test('a script hidden in a comment goes on behind the end tag of the script in it', () => {
  const script = '<!-- <script>a</script> b --> c';
  assert.deepEqual(tokensOf(`<script>${script}</script>d`, 'Data state'), [
    ['StartTag', 'script', {}],
    ['Character', script],
    ['EndTag', 'script'],
    ['Character', 'd'],
  ]);
});
