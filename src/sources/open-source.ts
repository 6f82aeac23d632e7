/**
 * The door: finds out what an input is and opens the reader for it. A folder is a folder of pages;
 * a file, or standard input as `-`, is recognized by its first bytes, whatever its name and compression.
 */

import { constants, createReadStream } from 'node:fs';
import { access, type FileHandle, open, stat } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import { arcItems } from './archive/arc.ts';
import { isZip, waczArchives } from './archive/wacz.ts';
import { warcItems } from './archive/warc.ts';
import { compressionOf, decompress } from './bytes/decompress.ts';
import { type Format, SNIFF_BYTES, sniff } from './bytes/sniff.ts';
import { StreamReader } from './bytes/stream-reader.ts';
import { openFolder } from './folder.ts';
import { jsonLines, jsonlItems } from './jsonl.ts';
import { damageFault } from './record/fault.ts';
import type { CrawlCoverage, Source, SourceItem, SourceOptions } from './record/record.ts';

const READ_CHUNK_BYTES = 262_144;
const READERS = { warc: warcItems, arc: arcItems, jsonl: jsonlItems };
const EXPECTED = 'expected WARC, WACZ, ARC or JSON lines (plain, gzip or zstd), or a folder of HTML';

type Progress = Source['progress'];
type ItemReader<Item> = (
  reader: StreamReader,
  context: { readonly name: string; readonly maxPageBytes: number; readonly covered: CrawlCoverage[] },
) => AsyncGenerator<Item>;

/**
 * @param path of a file or a folder; `-` for standard input.
 * @param stdin what `-` stands for.
 * @throws InputError AKIN_ERR_INPUT_MISSING, AKIN_ERR_INPUT_UNREADABLE (no permission, or none of the
 *   formats), AKIN_ERR_INPUT_EMPTY, AKIN_ERR_OPTION (a folder without a base URL). The items of the
 *   source throw AKIN_ERR_INPUT_UNREADABLE if reading itself fails.
 */
export async function openSource(
  path: string,
  options: SourceOptions,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): Promise<Source> {
  if (path === '-') return openPipe('-', stdin, options);
  const stats = await readingFrom(path, () => stat(path));
  if (stats.isDirectory()) {
    await readingFrom(path, () => access(path, constants.R_OK | constants.X_OK));
    return openFolder(path, options);
  }
  if (!stats.isFile())
    return openPipe(path, createReadStream(path, { highWaterMark: READ_CHUNK_BYTES }), options);
  const head = await readingFrom(path, () => fileHead(path));
  const progress = { bytesRead: 0, bytesTotal: stats.size };
  if (isZip(head)) return openWacz(path, options, progress);
  const format = await formatOf(path, head, options.format);
  const isPlain = compressionOf(head) === 'none';
  const stream = () =>
    isPlain ? fileChunks(path) : createReadStream(path, { highWaterMark: READ_CHUNK_BYTES });
  return sourceOf(path, format, stream, progress, options);
}

/** All in one buffer: that of a stream, made anew for each chunk, keeps the collector at work. */
async function* fileChunks(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, 'r');
  const chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return;
    yield chunk.subarray(0, bytesRead);
  }
}

/** @param stream is asked for whenever the source is read. */
function sourceOf(
  name: string,
  format: Format,
  stream: () => AsyncIterable<Uint8Array>,
  progress: Progress,
  options: SourceOptions,
): Source {
  const covered: CrawlCoverage[] = [];
  const read =
    <Item>(reader: ItemReader<Item>) =>
    () => {
      progress.bytesRead = 0;
      covered.length = 0;
      return readItems(name, stream(), reader, { progress, covered, options });
    };
  const items = read(READERS[format]);
  return { name, progress, covered, items, ...(format === 'jsonl' && { lines: read(jsonLines) }) };
}

/** The archives of a WACZ as one, each opened where the one before ends. */
function openWacz(path: string, options: SourceOptions, progress: Progress): Source {
  const covered: CrawlCoverage[] = [];
  async function* items(): AsyncGenerator<SourceItem> {
    progress.bytesRead = 0;
    covered.length = 0;
    for await (const { name, open } of waczArchives(path)) {
      const where = `${path}/${name}`;
      let isSound = true;
      let isDamageKnown = false;
      const stream = await open((found) => (isSound = found));
      for await (const item of readItems(where, stream, warcItems, { progress, covered, options })) {
        isDamageKnown ||= item.kind === 'fault' && (item.isDamage === true || item.reason === 'unreadable');
        yield item;
      }
      if (isSound || isDamageKnown) continue;
      const detail = 'the archive has other bytes than its checksum in the ZIP file says';
      yield damageFault('digest', { where, url: null }, detail);
    }
  }
  return { name: path, progress, covered, items };
}

/** A stream can be read once: what sniffing took is put in front again. */
async function openPipe(
  name: string,
  stream: AsyncIterable<Uint8Array>,
  options: SourceOptions,
): Promise<Source> {
  const iterator = stream[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let sizeBytes = 0; sizeBytes < SNIFF_BYTES; ) {
    const next = await readingFrom(name, () => iterator.next());
    if (next.done) break;
    taken.push(next.value);
    sizeBytes += next.value.length;
  }
  const format = await formatOf(name, Buffer.concat(taken), options.format);
  const progress = { bytesRead: 0, bytesTotal: null };
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* taken.splice(0);
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return sourceOf(name, format, all, progress, options);
}

async function* readItems<Item>(
  path: string,
  stream: AsyncIterable<Uint8Array>,
  read: ItemReader<Item>,
  { progress, covered, options }: { progress: Progress; covered: CrawlCoverage[]; options: SourceOptions },
): AsyncGenerator<Item> {
  await using reader = new StreamReader(decompress(counted(path, stream, progress)));
  const context = { name: path, maxPageBytes: options.maxPageBytes, covered };
  yield* read(reader, context);
}

async function* counted(
  path: string,
  stream: AsyncIterable<Uint8Array>,
  progress: { bytesRead: number },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) {
      progress.bytesRead += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What the first bytes say; an asked-for format has to agree with them. */
async function formatOf(path: string, head: Uint8Array, asked: SourceOptions['format']): Promise<Format> {
  const name = path === '-' ? 'standard input' : path;
  if (head.length === 0) throw new InputError('AKIN_ERR_INPUT_EMPTY', `${name} is empty`);
  const sniffed = await sniff(head);
  const isLines = asked === 'jsonl' || (asked === null && /\.(jsonl|ndjson)(\.gz|\.zst)?$/i.test(path));
  if (sniffed.format !== null) {
    const agrees =
      asked === null || asked === sniffed.format || (asked === 'warc' && sniffed.format === 'arc');
    if (agrees) return sniffed.format;
    const message = `${name}: expected ${asked}, but it is ${sniffed.format}`;
    throw new InputError('AKIN_ERR_INPUT_UNREADABLE', message, {
      hint: 'leave the format out, or correct it',
    });
  }
  // A first line that is broken does not spoil the others.
  if (isLines && sniffed.mayBeLines) return 'jsonl';
  const message = `${name}: ${asked === null ? EXPECTED : `expected ${asked}`}, but it looks like ${sniffed.looksLike}`;
  throw new InputError('AKIN_ERR_INPUT_UNREADABLE', message, { hint: sniffed.hint });
}

async function fileHead(path: string): Promise<Uint8Array> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    const head = new Uint8Array(SNIFF_BYTES);
    const { bytesRead } = await file.read(head, 0, SNIFF_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file?.close();
  }
}

async function readingFrom<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): InputError {
  if (cause instanceof InputError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const hint = 'check the path; standard input is written as -';
    return new InputError('AKIN_ERR_INPUT_MISSING', `${path} does not exist`, { hint, cause });
  }
  const why = code === 'EACCES' || code === 'EPERM' ? 'no permission to read it' : message;
  return new InputError('AKIN_ERR_INPUT_UNREADABLE', `${path} cannot be read: ${why}`, { cause });
}
