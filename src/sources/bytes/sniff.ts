/** Tells from its first bytes what an input is. Names lie; the first bytes of these formats do not. */

import { isUtf8 } from 'node:buffer';
import { compressionOf, decompress, isWarcDictionary } from './decompress.ts';
import { StreamReader } from './stream-reader.ts';

export type Format = 'warc' | 'arc' | 'jsonl';

type Sniffed = { readonly format: Format } | Stranger;

interface Stranger {
  readonly format: null;
  /** Completes the sentence "it looks like ...". */
  readonly looksLike: string;
  /** Lines of JSON, of which the first is broken. */
  readonly mayBeLines: boolean;
  readonly hint: string;
}

/** How many bytes of an input are enough to sniff: of zstd nothing comes before the end of a block, which may take 128 KiB. */
export const SNIFF_BYTES = 196_608;
const LOOK_BYTES = 1024;

const UNPACK = 'unpack it and give what is inside';
const IN_A_FOLDER = 'give the folder that holds the pages, with --base URL';
const CONVERT = 'give WARC, ARC, JSON lines or a folder of HTML';
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: magic numbers hold control characters.
const KNOWN_STRANGERS: readonly (readonly [pattern: RegExp, looksLike: string, hint: string])[] = [
  [/^(\xff\xfe|\xfe\xff)/, 'UTF-16 text', 'write it as UTF-8'],
  [/^PK\x03\x04/, 'a ZIP archive', 'give a WACZ as a file, not through a pipe; unpack any other ZIP file'],
  [/^BZh[1-9]/, 'bzip2 data', UNPACK],
  [/^\xfd7zXZ/, 'xz data', UNPACK],
  [/^[\s\S]{257}ustar/, 'a tar archive', UNPACK],
  [/^SQLite format 3\0/, 'a SQLite database', CONVERT],
  [/^%PDF-/, 'a PDF document', CONVERT],
  [/^\s*(<!doctype html|<html)/i, 'an HTML page', IN_A_FOLDER],
  [/^\s*</, 'XML', CONVERT],
  [/^\s*\[/, 'a JSON array', 'write one object a line (JSON lines)'],
  [/^\s*\{\s/, 'a JSON object of many lines', 'write one object a line (JSON lines)'],
  [
    /^"?\w[\w -]*"?(?:[,;\t]"?\w[\w -]*"?)+\r?\n/,
    'a table (CSV)',
    'write an object a line (JSON lines); docs/recipes/shop.md says how',
  ],
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above.

/** An array of objects, or an object of many lines: of its lines some would be taken for records. */
const OTHER_JSON = /^\s*(?:\[\s*\{|\{[ \t]*[\r\n])/;

/** @param head the first bytes as stored, `SNIFF_BYTES` of them or all there are. */
export async function sniff(head: Uint8Array): Promise<Sniffed> {
  // The first record may stand far behind the dictionary.
  if (isWarcDictionary(head)) return { format: 'warc' };
  const compression = compressionOf(head);
  const reader = new StreamReader(decompress([head]));
  let plain = await reader.peek(LOOK_BYTES);
  // The first record may be damaged, and the archive good for all that.
  while (plain.length === 0 && reader.gap !== null) {
    reader.resume();
    plain = await reader.peek(LOOK_BYTES);
  }
  await reader.close();
  if (plain.length === 0) {
    const looksLike = `${compression} data that cannot be decompressed`;
    return { format: null, looksLike, mayBeLines: false, hint: 'fetch or write the file again' };
  }
  const text = plain.toString('latin1', 0, LOOK_BYTES).replace(/^\xef\xbb\xbf/, '');
  if (/^\s*WARC\/\d/.test(text)) return { format: 'warc' };
  if (/^\s*filedesc:/.test(text)) return { format: 'arc' };
  if (/^\s*\{[^\r\n]*\S/.test(text)) return { format: 'jsonl' };
  const stranger = KNOWN_STRANGERS.find(([pattern]) => pattern.test(text));
  const isText = !text.includes('\0');
  const within = compression === 'none' ? '' : ` inside ${compression}`;
  const looksLike = `${stranger?.[1] ?? describe(plain, isText)}${within}`;
  const mayBeLines = isText && !OTHER_JSON.test(text);
  return { format: null, looksLike, mayBeLines, hint: stranger?.[2] ?? CONVERT };
}

function describe(bytes: Buffer, isText: boolean): string {
  if (isText && isUtf8(bytes.subarray(0, 24))) {
    return `text that begins ${JSON.stringify(bytes.toString('utf8', 0, 24))}`;
  }
  const hex = bytes
    .subarray(0, 8)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
  return `binary data that begins ${hex}`;
}
