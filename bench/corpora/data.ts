import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { BenchSkipped } from '../bench.ts';
import { ROOT } from '../environment.ts';

const DATA = resolve(ROOT, '../shared/data');
/** The archives are packed with a window of 2^27 bytes. */
const WIDE_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 27 } };

/** A file of the test data, which is not part of the project. */
export function dataFile(name: string): string {
  const path = join(DATA, name);
  if (!existsSync(path)) throw new BenchSkipped(`../shared/data/${name} is absent`);
  return path;
}

export function unpacked(name: string): Readable {
  return createReadStream(dataFile(name)).pipe(createZstdDecompress(WIDE_WINDOW));
}

/** The named columns of a TSV file with a header line, packed or not. */
export function readTsv<Column extends string>(
  name: string,
  wanted: readonly Column[],
): Record<Column, string>[] {
  const bytes = readFileSync(dataFile(name));
  const text = (name.endsWith('.zst') ? zstdDecompressSync(bytes, WIDE_WINDOW) : bytes).toString();
  const [header, ...lines] = text.split('\n').filter((line) => line !== '');
  const columns = wanted.map((column) => [column, header!.split('\t').indexOf(column)] as const);
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map(([column, i]) => [column, cells[i] ?? ''])) as Record<
      Column,
      string
    >;
  });
}

/** Gives a folder for the time of `work`. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'akin-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
