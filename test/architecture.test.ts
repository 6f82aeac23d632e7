/** The law of the house: imports go down only, and each door to the outside has one keeper. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RELATION_NAMES } from '../src/relations/relations.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
/** From the lowest up; `embed` runs in browsers, and stands apart from the others there. */
const PURE = ['lib', 'url', 'text', 'page', 'features', 'sketch', 'join', 'cluster', 'evaluate', 'relations'];
const FLOORS = [
  [...PURE, 'embed'],
  ['store', 'sources', 'net'],
  ['crawl', 'indexer'],
  ['service'],
  ['explorer'],
  ['cli', 'library'],
];
/**
 * Folders of a folder, from the lowest up: a file imports from its own and from those before it. '.' is the place of the
 * files that stand in the folder itself; above all where it is left out.
 */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  '.': PURE,
  lib: ['columns', '.', 'keys', 'intervals'],
  features: ['.', 'counts'],
  text: ['.', 'search'],
  page: ['html', 'card', 'fields', 'marks', '.'],
  join: ['bags', 'pairs', 'exact', 'bm25', 'buckets', 'printed', 'copies', 'own', 'vectors', 'lend', 'links'],
  'join/buckets': ['space', 'steps'],
  sources: ['bytes', 'record', 'http', 'archive'],
  store: ['blobs', '.', 'read', 'write', 'frontier', 'journal', 'check'],
  crawl: ['response', 'rules', 'folder', 'frontier', 'wacz'],
  'indexer/files': ['threads', '.', 'records'],
  'indexer/gather': ['records', 'extract', 'collapse'],
  'indexer/write': ['clusters'],
  indexer: ['files', 'options', 'steps', 'gather', 'weigh', 'tune', 'relate', 'write', 'shards'],
  'service/answers': [
    'pages',
    'copies',
    'passages',
    'sites',
    'clusters',
    'documents',
    'lists',
    'search',
    'time',
  ],
  'service/reads': ['.', 'file', 'live', 'shards'],
  'service/schemas': ['.', 'parameters', 'answers'],
  'service/http': ['problems', 'question', 'callers', '.', 'hooks'],
  'service/routes': ['route', 'rows'],
  service: [
    'keys',
    'schemas',
    'http',
    'rules',
    'threads',
    'snapshot',
    'reads',
    'index',
    'answers',
    'live',
    'exports',
    'routes',
    'hot',
    'reference',
  ],
  'cli/evaluate': ['.', 'report'],
  cli: ['settings', 'terminal', 'answers', 'evaluate', 'tune', 'aside', 'build', 'exports', 'up', 'commands'],
};
const KEEPERS: readonly [RegExp, string[]][] = [
  [/['"]better-sqlite3['"]/, ['store']],
  [/['"]undici['"]/, ['net']],
  [/^import (?!type\b)[^;]*['"](fastify['"]|@fastify\/)/m, ['service']],
  [/\bprocess\.(env|exit|exitCode)\b|\benv\b[^;]*= process\b/, ['cli']],
];
const IMPURE =
  /['"]node:(fs|net|http|https|child_process|worker_threads|os)\b|Math\.random\(|Date\.now\(|new Date\(\)|performance\.now/;

/** Where a word that is also the name of a relation is the name of a field. */
const FIELDS_NAMED_ALIKE = [
  'cli/answers/comparison.ts',
  'indexer/gather/extract/record-outbox.ts',
  'indexer/gather/records/page-record.ts',
  'service/answers/documents/compare.ts',
];

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

const files: SourceFile[] = globSync('**/*.{ts,js}', { cwd: SRC }).map((path) => ({
  path,
  room: path.split('/')[0]!,
  text: readFileSync(join(SRC, path), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
}));
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
const breaches = (broken: (file: SourceFile) => boolean) => files.filter(broken).map(({ path }) => path);

/** Files that a file imports from, types included: a type is a dependency for the reader too. */
function importedFiles({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  return [...text.matchAll(/(?:from|import\(|new URL\()\s*['"](\.[^'"]+)['"]/g)].map(([, target]) =>
    normalize(join(dirname(path), target!)),
  );
}

/** Rooms that a package over this one imports, as paths in `src/`. */
function importedFromRooms(text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*['"]akin-web\/rooms\/([^'"]+)['"]/g)].map(
    ([, path]) => `${path}.ts`,
  );
}

function importedRooms(file: SourceFile): string[] {
  return importedFiles(file)
    .map((path) => path.split('/')[0]!)
    .filter((room) => floorOf(room) !== -1);
}

test('every room stands on a floor', () => {
  assert.ok(files.length > 50, 'the sources are found');
  assert.deepEqual(
    breaches(({ path, room }) => path !== 'errors.ts' && floorOf(room) === -1),
    [],
  );
});

test('imports go down only', () => {
  const upward = (file: SourceFile) => importedRooms(file).some((room) => floorOf(room) > floorOf(file.room));
  assert.deepEqual(
    breaches((file) => file.room !== 'errors.ts' && upward(file)),
    [],
  );
});

for (const [folder, order] of Object.entries(ORDERS)) {
  const ranks = order.includes('.') ? order : [...order, '.'];
  const placeOf = (path: string) => {
    const [sub, ...rest] = relative(folder, path).split('/');
    return sub === '..' ? -1 : ranks.indexOf(rest.length === 0 ? '.' : sub!);
  };

  test(`folders of ${folder === '.' ? 'the ground floor' : folder} import from those before them only`, () => {
    const inOrder = files.filter(({ path }) => placeOf(path) >= 0 && path !== 'errors.ts');
    assert.ok(order.every((_, place) => inOrder.some(({ path }) => placeOf(path) === place)));
    const upward = inOrder.flatMap((file) =>
      importedFiles(file)
        .filter((path) => path !== 'errors.ts' && placeOf(path) > placeOf(file.path))
        .map((path) => `${file.path} > ${path}`),
    );
    assert.deepEqual(upward, []);
    if (folder === '.') return;
    const unordered = files.filter(({ path }) => path.startsWith(`${folder}/`) && placeOf(path) < 0);
    assert.deepEqual(unordered, []);
  });
}

test('no file imports itself, by whatever way round', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
    const file = byPath.get(path);
    if (done.has(path) || file === undefined) return;
    done.add(path);
    for (const next of importedFiles(file)) visit(next, [...trail, path]);
  };
  for (const { path } of files) visit(path, []);
  assert.deepEqual(circles, []);
});

test('what runs in browsers imports from itself alone, and only the service reads it', () => {
  const bound = files.flatMap((file) =>
    importedRooms(file)
      .filter((room) => room !== file.room && [room, file.room].includes('embed'))
      .map((room) => `${file.room} > ${room}`),
  );
  assert.deepEqual([...new Set(bound)], ['service > embed']);
});

test('offline and online never import each other', () => {
  const isOffline = (room: string) => floorOf(room) === 2;
  assert.deepEqual(
    breaches((file) => file.room === 'service' && importedRooms(file).some(isOffline)),
    [],
  );
});

test('stages for Spark know the floors up to the offline one, their command the door; folders in order', () => {
  const root = join(dirname(SRC), 'packages/spark/src');
  const stages = globSync('**/*.ts', { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
  assert.ok(stages.length > 20);
  const doors = ['command.ts', 'main.ts'];
  const tooHigh = stages.flatMap(({ path, text }) =>
    importedFromRooms(text)
      .filter((room) => floorOf(room.split('/')[0]!) > (doors.includes(path) ? floorOf('cli') : 2))
      .map((room) => `${path} > ${room}`),
  );
  assert.deepEqual(tooHigh, []);
  const order = ['record', 'pages', 'neighbors', 'copies', 'shards'];
  const rankOf = (path: string) =>
    (order.indexOf(path.split('/')[0]!) + order.length + 1) % (order.length + 1);
  const upward = stages.flatMap((file) =>
    importedFiles(file)
      .filter((path) => path.startsWith('..') || rankOf(path) > rankOf(file.path))
      .map((path) => `${file.path} > ${path}`),
  );
  assert.deepEqual(upward, []);
});

for (const [pattern, keepers] of KEEPERS) {
  test(`only ${keepers.join(' and ')} may say ${pattern.source}`, () => {
    assert.deepEqual(
      breaches(({ room, text }) => !keepers.includes(room) && pattern.test(text)),
      [],
    );
  });
}

test('only relations/ calls a relation by its name', () => {
  const named = new RegExp(`(['"\`])(${RELATION_NAMES.join('|')})\\1`);
  // What runs in browsers cannot import a name.
  const naming = breaches(
    ({ room, text }) => !['relations', 'embed'].includes(room) && named.test(text),
  ).filter(
    // Written from the rows, which have the names from there.
    (path) => path !== 'library/generated.ts',
  );
  assert.deepEqual(
    naming.filter((path) => !FIELDS_NAMED_ALIKE.includes(path)),
    [],
  );
});

test('the ground floor is pure: no I/O, no clock, no unseeded randomness', () => {
  assert.deepEqual(
    breaches(({ room, text }) => PURE.includes(room) && IMPURE.test(text)),
    [],
  );
});

test('no file that people write is longer than 400 lines', () => {
  const isLong = (path: string) => readFileSync(join(SRC, path), 'utf8').split('\n').length > 400;
  assert.deepEqual(
    breaches(({ path }) => path !== 'library/generated.ts' && isLong(path)),
    [],
  );
});

test('tests do not import from the benches but to test them; long checks read their corpora', () => {
  const root = dirname(SRC);
  const bound = globSync('test/**/*.ts', { cwd: root }).flatMap((path) =>
    importedFiles({ path, text: readFileSync(join(root, path), 'utf8') })
      .filter((imported) => imported.startsWith('bench/') && !path.startsWith('test/bench/'))
      .filter((imported) => !(path.endsWith('.long.ts') && imported.startsWith('bench/corpora/')))
      .map((imported) => `${path} > ${imported}`),
  );
  assert.deepEqual(bound, []);
});

/** What the house uses in its own file alone, and a test by itself: the public way leads past too much of it. */
const TESTED_ALONE = [
  // The test walks every code.
  'errors.ts: ERROR_CODES',
  // Spark computes this formula again in its own language; the tests of its package compare.
  'cluster/topic-graph.ts: topicWeight',
  // Its caller falls back where it fails, and hides that.
  'service/snapshot/snapshot.ts: loadPartsAside',
  // What people read, without the page or the error around it.
  'explorer/parts/passages.ts: piecesOf',
];

test('what a file exports is used in another one, tests left out', () => {
  const root = dirname(SRC);
  const folders = '{src,bench,demo,scripts,kernels,packages/*/src}';
  const readers = globSync(`${folders}/**/*.{ts,js,mjs}`, { cwd: root }).map((path) => ({
    path: join('..', path),
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const readersOf = Map.groupBy(
    readers.flatMap(({ path, text }) =>
      [
        // Kernels import without the ending.
        ...importedFiles({ path, text }).map((imported) =>
          relative('../src', imported).replace(/(?<!\.[jt]s)$/, '.ts'),
        ),
        ...importedFromRooms(text),
      ].map((imported) => ({ imported, text })),
    ),
    ({ imported }) => imported,
  );
  const loader = readFileSync(join(SRC, 'indexer/files/threads/thread-main.ts'), 'utf8');
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // The doors of the package are for programs outside.
  const doors = Object.values<{ 'akin-source'?: string }>(exports).map((one) => one['akin-source']);
  const unused = files.flatMap(({ path, text }) => {
    if (doors.includes(`./src/${path}`)) return [];
    const exported = text.matchAll(
      /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
    );
    const texts = (readersOf.get(path) ?? []).map((reader) => reader.text);
    if (texts.some((one) => one.includes(`export type * from './${basename(path)}'`))) return [];
    // The module of a task is loaded by its URL.
    if (path.endsWith('-worker.ts')) texts.push(loader);
    // The list of answers takes every schema of a file.
    const areTaken = texts.some((one) =>
      new RegExp(`import \\* as \\w+ from '\\./${basename(path)}'`).test(one),
    );
    return Array.from(exported, ([, name]) => name!)
      .filter((name) => !(areTaken && name.endsWith('Schema')))
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(texts.join('\n')))
      .map((name) => `${path}: ${name}`);
  });
  assert.deepEqual(unused.sort(), TESTED_ALONE.toSorted());
});
