import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamReader } from '../../src/sources/bytes/stream-reader.ts';
import { readTsv, unpacked } from './data.ts';
import { tarFiles } from './tar.ts';

export interface JsonlRecord {
  readonly url: string;
  readonly html?: string;
  readonly text?: string;
}

/** Ends of lines to some readers, such as that of the yardstick, which JSON may hold. */
const LINE_ENDS = /[\u2028\u2029]/g;
const escaped = (end: string) => (end === '\u2028' ? '\\u2028' : '\\u2029');

/** Writes records as JSON lines, each one line to any reader; returns how many. */
export async function writeJsonl(
  path: string,
  records: AsyncIterable<JsonlRecord> | Iterable<JsonlRecord>,
): Promise<number> {
  const out = createWriteStream(path);
  let count = 0;
  for await (const record of records) {
    count++;
    if (!out.write(`${JSON.stringify(record).replace(LINE_ENDS, escaped)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return count;
}

/** Reads lines of JSON. Those of node:readline end at U+2028 and U+2029, too, which may stand in a text. */
export async function* readJsonl<Read = JsonlRecord>(input: AsyncIterable<Uint8Array>): AsyncGenerator<Read> {
  await using reader = new StreamReader(input);
  for (let line = await nextLine(reader); line !== null; line = await nextLine(reader)) {
    yield JSON.parse(line.toString()) as Read;
  }
}

async function nextLine(reader: StreamReader): Promise<Buffer | null> {
  return (await reader.readLine(Number.POSITIVE_INFINITY)) as Buffer | null;
}

/** The pages of html.tar.zst by the URLs of its table; the bodies are UTF-8 in both archives that are read so. */
export async function* archivedPages(archive: string, table: string): AsyncGenerator<JsonlRecord> {
  const urlOf = new Map(readTsv(table, ['path', 'url']).map((row) => [row.path, row.url]));
  for await (const { path, body } of tarFiles(unpacked(archive))) {
    const url = urlOf.get(path);
    if (url !== undefined) yield { url, html: body.toString() };
  }
}

/** Makes a JSONL file once and keeps it for later runs, below the system's folder for such files. */
export async function cachedJsonl(name: string, records: () => AsyncIterable<JsonlRecord>): Promise<string> {
  const folder = join(tmpdir(), 'akin-bench-cache');
  const path = join(folder, `${name}.jsonl`);
  if (!existsSync(path) || statSync(path).size === 0) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    await writeJsonl(unfinished, records());
    renameSync(unfinished, path);
  }
  return path;
}
