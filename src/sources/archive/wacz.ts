/**
 * The WARC files in a WACZ (Web Archive Collection Zipped 1.1.1): a ZIP file with archives below `archive/`, in the order of
 * its directory. Its index and list of pages are not read: the archives hold all that they name.
 *
 * The ZIP is read by yauzl: files of more than 4 GB, an entry at a time, never the whole.
 */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, open, type ZipFile } from 'yauzl';
import { InputError } from '../../errors.ts';

const ARCHIVE = /^archive\/.*\.warc(\.gz|\.zst)?$/i;

interface WaczArchive {
  /** Its path in the ZIP. */
  readonly name: string;
  /** Says `isSound` what its bytes came to, once they are read to the end: by the CRC-32 of the ZIP. */
  open(isSound: (isSound: boolean) => void): Promise<AsyncIterable<Uint8Array>>;
}

/** Whether a file that begins so is a ZIP. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}

/**
 * The archives of a WACZ, which is open as long as they are asked for.
 *
 * Errors  InputError AKIN_ERR_INPUT_UNREADABLE for a ZIP that is damaged, or has no archive.
 */
export async function* waczArchives(path: string): AsyncGenerator<WaczArchive> {
  const zip = await openZip(path);
  try {
    const entries = await archiveEntries(zip, path);
    for (const entry of entries) {
      yield { name: entry.fileName, open: (isSound) => openEntry(zip, entry, path, isSound) };
    }
  } finally {
    zip.close();
  }
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error ? reject(damaged(path, error)) : resolve(zip),
    );
  });
}

async function archiveEntries(zip: ZipFile, path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (ARCHIVE.test(entry.fileName)) entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', resolve);
    zip.on('error', (error) => reject(damaged(path, error)));
    zip.readEntry();
  });
  if (entries.length > 0) return entries;
  throw new InputError('AKIN_ERR_INPUT_UNREADABLE', `${path} is a ZIP file without a WARC file in archive/`, {
    hint: 'a WACZ of pages has them; unpack any other ZIP file and give what is inside',
  });
}

async function openEntry(
  zip: ZipFile,
  entry: Entry,
  path: string,
  isSound: (isSound: boolean) => void,
): Promise<AsyncIterable<Uint8Array>> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(damaged(path, error)) : resolve(stream)));
  });
  return checked(stream, entry.crc32, isSound);
}

async function* checked(
  stream: AsyncIterable<Buffer>,
  checksum: number,
  isSound: (isSound: boolean) => void,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of stream) {
    sum = crc32(chunk, sum);
    yield chunk;
  }
  isSound(sum === checksum);
}

function damaged(path: string, cause: Error): InputError {
  return new InputError(
    'AKIN_ERR_INPUT_UNREADABLE',
    `${path} cannot be read as a ZIP file: ${cause.message}`,
    {
      cause,
      hint: 'fetch or write the file again',
    },
  );
}
