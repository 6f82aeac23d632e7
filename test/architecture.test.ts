/** The law of the house: imports go down only, and each door to the outside has one keeper. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const PURE = ['lib', 'url', 'page', 'features', 'sketch', 'join', 'cluster', 'evaluate', 'relations'];
const FLOORS = [PURE, ['store', 'sources'], ['indexer'], ['service'], ['cli']];
/** The folders inside a room, lowest first; files at the root of a room stand above them. */
const SUB_ROOMS: Readonly<Record<string, readonly string[]>> = {
  service: ['schemas', 'http', 'held', 'answers', 'routes'],
};
const KEEPERS: readonly [RegExp, string[]][] = [
  [/['"]better-sqlite3['"]/, ['store']],
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

/** Paths that a file imports, types included: a type is a dependency for the reader too. */
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

/** Place of a file in its room: the number of its sub-room, above them all at the root, -1 in a folder nobody listed. */
function levelOf(path: string): number {
  const [room, folder, ...rest] = path.split('/');
  const order = SUB_ROOMS[room!]!;
  return rest.length === 0 ? order.length : order.indexOf(folder!);
}

/** Groups of files of which each leads to all the others by imports (Tarjan, 1972). */
function circlesOf(importsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    open.push(path);
    for (const target of importsOf.get(path)!) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1) circles.push(group);
  };
  for (const path of importsOf.keys()) if (!order.has(path)) visit(path);
  return circles;
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

for (const [room, folders] of Object.entries(SUB_ROOMS)) {
  const inside = files.filter((file) => file.room === room);
  const importsInside = (file: SourceFile) =>
    importedPaths(file).filter((path) => path.startsWith(`${room}/`) && path.endsWith('.ts'));

  test(`${room}/ is sorted into ${folders.join(' < ')}, and imports go down there too`, () => {
    assert.deepEqual(
      inside.map(({ path }) => path).filter((path) => levelOf(path) === -1),
      [],
    );
    const upward = inside.flatMap((file) =>
      importsInside(file)
        .filter((path) => levelOf(path) > levelOf(file.path))
        .map((path) => `${file.path} -> ${path}`),
    );
    assert.deepEqual(upward, []);
  });

  test(`no files of ${room}/ import each other in a circle`, () => {
    assert.deepEqual(circlesOf(new Map(inside.map((file) => [file.path, importsInside(file)]))), []);
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
