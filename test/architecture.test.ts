/** The law of the house: imports go down only, and each door to the outside has one keeper. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const PURE = ['lib', 'url', 'page', 'features', 'sketch', 'join', 'cluster', 'evaluate', 'relations'];
const FLOORS = [
  PURE,
  ['store', 'sources', 'net'],
  ['crawl', 'indexer'],
  ['service'],
  ['cli', 'embed', 'explorer'],
];
/** Sub-rooms of a room, low to high; '.' is the files at its root. Imports among them go down only, too. */
const SUB_ROOMS: Readonly<Record<string, readonly string[]>> = {
  sources: ['.'],
  store: ['blobs', '.', 'check'],
};
const KEEPERS: readonly [RegExp, string[]][] = [
  [/['"]better-sqlite3['"]/, ['store']],
  [/['"]undici['"]/, ['net']],
  [/['"](fastify['"]|@fastify\/)/, ['service']],
  [/\bprocess\.(env|exit|exitCode)\b|\benv\b[^;]*= process\b/, ['cli']],
];
const IMPURE =
  /['"]node:(fs|net|http|https|child_process|worker_threads|os)\b|Math\.random\(|Date\.now\(|new Date\(\)|performance\.now/;

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

const files: SourceFile[] = globSync('**/*.ts', { cwd: SRC }).map((path) => ({
  path,
  room: path.split('/')[0]!,
  text: readFileSync(join(SRC, path), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''),
}));
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
const breaches = (broken: (file: SourceFile) => boolean) => files.filter(broken).map(({ path }) => path);

/** Files that a file imports, types included: a type is a dependency for the reader too. */
function importedPaths({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import\(|new URL\()\s*['"](\.[^'"]+)['"]/g)].map(([, target]) =>
    normalize(join(dirname(path), target!)),
  );
}

function importedRooms(file: SourceFile): string[] {
  return importedPaths(file)
    .map((path) => path.split('/')[0]!)
    .filter((room) => floorOf(room) !== -1);
}

/** The sub-room of a file of a room; '.' at its root. */
function subRoomOf(path: string): string {
  const [, subRoom, ...rest] = path.split('/');
  return rest.length === 0 ? '.' : subRoom!;
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

for (const [room, order] of Object.entries(SUB_ROOMS)) {
  const inside = files.filter((file) => file.room === room);

  test(`every file of ${room} is in a sub-room that the order names`, () => {
    assert.deepEqual([...new Set(inside.map(({ path }) => subRoomOf(path)))].sort(), [...order].sort());
  });

  test(`imports inside ${room} go down only`, () => {
    const rankOf = (path: string) => order.indexOf(subRoomOf(path));
    const upward = inside.flatMap((file) =>
      importedPaths(file)
        .filter((target) => target.startsWith(`${room}/`) && rankOf(target) > rankOf(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
    assert.deepEqual(upward, []);
  });

  test(`no files of ${room} import each other in a circle`, () => {
    const importsOf = new Map(inside.map((file) => [file.path, importedPaths(file)]));
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const walk = (path: string, way: readonly string[]) => {
      if (state.get(path) === 'open') circles.push([...way.slice(way.indexOf(path)), path].join(' > '));
      if (state.has(path)) return;
      state.set(path, 'open');
      for (const target of importsOf.get(path) ?? []) walk(target, [...way, path]);
      state.set(path, 'done');
    };
    for (const { path } of inside) walk(path, []);
    assert.deepEqual(circles, []);
  });
}

test('offline and online never import each other', () => {
  const isOffline = (room: string) => floorOf(room) === 2;
  assert.deepEqual(
    breaches((file) => file.room === 'service' && importedRooms(file).some(isOffline)),
    [],
  );
});

for (const [pattern, keepers] of KEEPERS) {
  test(`only ${keepers.join(' and ')} may say ${pattern.source}`, () => {
    assert.deepEqual(
      breaches(({ room, text }) => !keepers.includes(room) && pattern.test(text)),
      [],
    );
  });
}

test('the ground floor is pure: no I/O, no clock, no unseeded randomness', () => {
  assert.deepEqual(
    breaches(({ room, text }) => PURE.includes(room) && IMPURE.test(text)),
    [],
  );
});

test('no file is longer than 400 lines', () => {
  const isLong = (path: string) => readFileSync(join(SRC, path), 'utf8').split('\n').length > 400;
  assert.deepEqual(
    breaches(({ path }) => isLong(path)),
    [],
  );
});
