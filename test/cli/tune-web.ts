import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IndexReader } from '../../src/store/read/reader.ts';
import { newFolder } from '../new-folder.ts';
import { akin, reportOf } from './terminal.ts';

export const TOPICS = 6;
export const PAGES = 150;
export const folder = newFolder('tune-test');
// Several files of one process use it.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** A linear congruential generator, as in the C standard. */
export function createBelow(state = 7): (bound: number) => number {
  let at = state;
  return (bound) => {
    at = (Math.imul(at, 1103515245) + 12345) >>> 0;
    return Math.floor(((at >>> 8) / 2 ** 24) * bound);
  };
}

export const vocabulary = Array.from(
  { length: 200 },
  (_, i) =>
    `q${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}x${String.fromCharCode(97 + (i % 7))}z`,
);

/** Words that say nothing. */
export function randomText(below: (bound: number) => number): string {
  return Array.from({ length: 60 }, () => vocabulary[below(vocabulary.length)]).join(' ');
}

export async function makeIndex(name: string, sweeps: readonly (readonly object[])[], ...options: string[]) {
  const path = join(folder, `${name}.akin`);
  const sources = sweeps.map((records, i) => {
    const source = join(folder, `${name}-${i}.jsonl`);
    writeFileSync(source, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return source;
  });
  const argv = ['index', ...sources, '--to', path, '--sweep-per-input', '--workers', '1', ...options];
  const { code, stderr } = await akin(argv);
  assert.equal(code, 0, stderr);
  return path;
}

export async function tune(...argv: string[]) {
  const { code, stdout, stderr } = await akin(['tune', ...argv, '--workers', '1', '--json']);
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, /"[a-z]+[A-Z]\w*":/);
  // biome-ignore lint/suspicious/noExplicitAny: a report is checked by what each test says of it
  return reportOf<any>(stdout);
}

/** Share of the first ten of stored lists that are of the same subject. */
export function precisionOf(file: string): number {
  const reader = IndexReader.open(file);
  const topicOf = [...reader.pages()].map(({ url }) => Number(url.split('/').at(-1)) % TOPICS);
  let hits = 0;
  for (const { pageId, list } of reader.allNeighbors(1))
    hits += list.ids.subarray(0, 10).filter((other) => topicOf[other] === topicOf[pageId]).length;
  reader.close();
  return hits / topicOf.length / 10;
}
