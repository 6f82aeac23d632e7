/**
 * Debian's documentation packages as folders, one a package and each a host of its own, unpacked below the system's
 * folder for such files as akin-bench-cache/debian-docs-large.
 */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBody } from '../../src/page/decode.ts';
import { BenchSkipped } from '../bench.ts';
import type { JsonlRecord } from './jsonl.ts';

const ROOT = join(tmpdir(), 'akin-bench-cache', 'debian-docs-large', 'large');

interface PackageFolder {
  readonly path: string;
  readonly baseUrl: string;
}

/** By name. */
export function debianDocs(root: string = ROOT): PackageFolder[] {
  if (!existsSync(root)) throw new BenchSkipped('debian-docs-large is not unpacked');
  return readdirSync(root)
    .sort()
    .filter((name) => statSync(join(root, name)).isDirectory())
    .map((name) => ({ path: join(root, name), baseUrl: `http://${name}.debian-docs.example/` }));
}

/** Makes `target` the same folders, by hard links, without `count` pages evenly spread; returns these. */
export function debianDocsWithoutSome(target: string, count: number): JsonlRecord[] {
  const files = linkFolder('', target);
  const pages = files.filter((path) => path.endsWith('.html')).sort();
  const every = Math.floor(pages.length / count);
  const left = new Set(pages.filter((_, i) => i % every === every >> 1).slice(0, count));
  for (const path of files) if (!left.has(path)) linkSync(join(ROOT, path), join(target, path));
  return [...left].map((path) => {
    const [name, ...rest] = path.split('/');
    const html = decodeBody(readFileSync(join(ROOT, path)), null)?.text ?? '';
    return { url: `http://${name}.debian-docs.example/${rest.map(encodeURIComponent).join('/')}`, html };
  });
}

/** Makes the folders and their symbolic links below `target`; returns the paths of files. */
function linkFolder(folder: string, target: string): string[] {
  mkdirSync(join(target, folder), { recursive: true });
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return linkFolder(path, target);
    if (!entry.isSymbolicLink()) return [path];
    symlinkSync(readlinkSync(join(ROOT, path)), join(target, path));
    return [];
  });
}
