// Writes the declarations of the library into dist/: those of its entries and of what they name, nothing else.
// Other files of the program have types that no declaration can say; whether they are sound is for `npm run types`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const DECLARATION = /^\.\/dist\/(.*)\.d\.ts$/;
/** Without their extensions. */
const entries = Object.values(exports).flatMap(({ types }) => DECLARATION.exec(types ?? '')?.[1] ?? []);
const all = mkdtempSync(join(tmpdir(), 'akin-types-'));
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const argv = [tsc, '-p', 'tsconfig.build.json', '--declaration', '--emitDeclarationOnly', '--outDir', all];
spawnSync(process.execPath, argv, { cwd: root });

const kept = new Set();
/** `path` without its extension. */
function keep(path) {
  if (kept.has(path)) return;
  kept.add(path);
  const text = readFileSync(join(all, `${path}.d.ts`), 'utf8').replace(
    /(from ')(\.[^']+)\.ts'/g,
    (_, start, target) => {
      keep(join(dirname(path), target));
      return `${start}${target}.js'`;
    },
  );
  const target = join(root, 'dist', `${path}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

try {
  entries.forEach(keep);
} finally {
  rmSync(all, { recursive: true });
}
