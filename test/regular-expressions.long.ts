/**
 * No regular expression of src/ takes the square of a text. Each is decided by recheck 4.5.0, which builds its automaton;
 * and each is timed on texts that repeat what it looks for, as often as it can be found.
 *
 * One that is not linear, or cannot be decided, says what bounds its texts in a comment before it that begins `bounded:`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  isCallExpression,
  isNewExpression,
  isRegularExpressionLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { Random } from '../src/lib/random.ts';
import { spaceOut } from '../src/text/space-out.ts';
import { processorMs } from './processor-time.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const STATEMENTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.VariableStatement,
  SyntaxKind.ExpressionStatement,
  SyntaxKind.ReturnStatement,
  SyntaxKind.IfStatement,
]);

interface Expression {
  /** `path:line`. */
  readonly place: string;
  readonly isBounded: boolean;
  /** Null for one that is put together at run time. */
  readonly value: RegExp | null;
}

/** Every literal, and every call of RegExp. */
function expressionsOf(file: SourceFile): Expression[] {
  const found: Expression[] = [];
  const walk = (node: Node, statement: Node) => {
    const isMade =
      (isNewExpression(node) || isCallExpression(node)) && node.expression.getText() === 'RegExp';
    if (isMade || isRegularExpressionLiteral(node)) {
      const line = file.text.slice(0, node.getStart()).split('\n').length;
      const isBounded = file.text.slice(statement.pos, node.getStart()).includes('// bounded: ');
      const value = isMade ? null : literalOf(node.getText());
      found.push({ place: `${relative(SRC, file.fileName)}:${line}`, isBounded, value });
    }
    node.forEachChild((child) => walk(child, STATEMENTS.has(child.kind) ? child : statement));
  };
  walk(file, file);
  return found;
}

function literalOf(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** The expressions that the modules of these places put together when they are loaded, by place. */
async function loadedFrom(places: readonly string[]): Promise<Map<string, RegExp>> {
  const made = new Map<string, RegExp>();
  const Original = RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]: [string, string?]) {
      const value = new target(source, flags);
      const [, path, line] = /(file:\S+\/src\/\S+?):(\d+):\d+\)?$/m.exec(new Error().stack!) ?? [];
      if (path !== undefined) made.set(`${relative(SRC, fileURLToPath(path))}:${line}`, value);
      return value;
    },
  });
  try {
    for (const place of places) await import(pathToFileURL(join(SRC, place.split(':')[0]!)).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

interface Verdict {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity?: { readonly summary: string };
  readonly error?: { readonly kind: string };
}
type Check = (source: string, flags: string, parameters: object) => Verdict;

const folder = mkdtempSync(join(tmpdir(), 'akin-expressions-'));
let check: Check;
let expressions: readonly Expression[];

before(async () => {
  const wanted = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', 'recheck@4.5.0'];
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', folder, ...wanted], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  check = createRequire(join(folder, 'x.js'))('recheck/lib/browser.js').checkSync as Check;

  const config = join(folder, 'tsconfig.json');
  const compilerOptions = { allowJs: true, target: 'esnext', module: 'nodenext', types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [SRC] }));
  const api = new API({ cwd: SRC });
  const { program } = api.updateSnapshot({ openProjects: [config] }).getProjects()[0]!;
  const files = program.getSourceFileNames().filter((name) => name.startsWith(`${SRC}/`));
  const found = files.flatMap((name) => expressionsOf(program.getSourceFile(name)!));
  api.close();
  const unmade = found.filter(({ value, isBounded }) => value === null && !isBounded);
  const made = await loadedFrom(unmade.map(({ place }) => place));
  expressions = found.map((one) => ({ ...one, value: one.value ?? made.get(one.place) ?? null }));
});
after(() => rmSync(folder, { recursive: true }));

test('every expression of the sources is found', () => {
  assert.ok(expressions.length > 200, `${expressions.length}`);
  const unknown = expressions.filter(({ value, isBounded }) => value === null && !isBounded);
  assert.deepEqual(unknown, [], 'put together later than at the start of their module');
});

/** Why an expression is not linear; null where it is. */
function faultOf({ source, flags }: RegExp): string | null {
  const { status, complexity, error } = check(source, flags, { checker: 'automaton', timeout: 60_000 });
  return status === 'safe' ? null : (complexity?.summary ?? `undecided: ${error?.kind}`);
}

test('every expression is linear, or says what bounds its texts', (t) => {
  t.diagnostic(`${expressions.length} expressions`);
  const wrong = expressions.flatMap(({ place, value, isBounded }) => {
    const fault = value === null || isBounded ? null : faultOf(value);
    return fault === null ? [] : `${place} ${value} ${fault}`;
  });
  assert.deepEqual(wrong, []);
});

const SIZE = 20_000;
const TEXTS = 300;
/** A text of this size takes some 200 ms where it is read in the square of its length. */
const SUSPECT_MS = 40;
const ODDS = [...' \t\r\n\0aZ09.,:;/\\<>"\'-_()[]{}=&%#*+', '\u0e01', '\u0301', 'é', '中', '\u2028'];
const OF_CLASS: Readonly<Record<string, string>> = {
  s: ' ',
  d: '1',
  w: 'a',
  S: 'x',
  r: '\r',
  n: '\n',
  t: '\t',
};

/** Characters again and again between others, most of them such as the expression names. */
function hostileTexts({ source }: RegExp): string[] {
  const named = (source.match(/[a-z]{2,}|\\?./gis) ?? []).map((part) =>
    part.startsWith('\\') ? (OF_CLASS[part[1]!] ?? part[1]!) : part,
  );
  const random = new Random(24);
  const one = () => {
    const from = random.below(3) === 0 ? ODDS : named;
    return from[random.below(from.length)]!;
  };
  const some = (most: number) => Array.from({ length: random.below(most + 1) }, one).join('');
  return Array.from({ length: TEXTS }, () => {
    const piece = one() + (random.below(2) === 0 ? '' : some(3));
    return some(3) + piece.repeat(Math.ceil(SIZE / piece.length)) + some(3);
  });
}

/** A text that an expression goes over too slowly, as often as it is found; null where there is none. */
function slowTextOf(value: RegExp): string | null {
  const everywhere = new RegExp(value.source, `${value.flags.replace(/[gy]/g, '')}g`);
  const found = hostileTexts(value).find((text) => {
    const isSlow = () => processorMs(() => text.replace(everywhere, '')) > SUSPECT_MS;
    // A second and a third look where the machine was busy.
    return isSlow() && isSlow() && isSlow();
  });
  return found ?? null;
}

test('every expression goes over hostile texts in time in proportion to their length, however often it is found', () => {
  const slow = expressions.flatMap(({ place, value, isBounded }) => {
    const text = value === null || isBounded ? null : slowTextOf(value);
    return text === null ? [] : `${place} ${value} ${JSON.stringify(text.slice(0, 40))}`;
  });
  assert.deepEqual(slow, []);
});

test('expressions that are not linear are found in both ways', () => {
  for (const value of [/\r*\n/, /\s+$/, /^([^:]*?)\s*:\s*(.*)$/, /^\s*(\d+\.?\d*)(c?)\s*$/, /\?.*x/]) {
    assert.match(faultOf(value)!, /polynomial/);
    assert.notEqual(slowTextOf(value), null, String(value));
  }
  // Found at once each time, and yet all of the text is looked at each time.
  assert.notEqual(slowTextOf(/a(?:.*b)?/), null);
});

test('spaces are put between letters of scripts without them in time in proportion to the text', () => {
  for (const piece of ['\u0e01', '\u0e01\u0301', 'a\u0301', '\u0e01a', '中 ', '\u0301']) {
    const ms = processorMs(() => spaceOut(`\u0e01${piece.repeat(200_000)}`));
    assert.ok(ms < 1000, `${ms} ms for ${JSON.stringify(piece)}`);
  }
});
