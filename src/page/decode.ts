/**
 * Bytes to text: which charset was meant, and is it text at all.
 *
 * Asked in this order, the first that answers counts:
 * 1. a byte order mark (UTF-8, UTF-16LE, UTF-16BE); `<` and a zero byte, twice, for UTF-16 without mark;
 * 2. the charset of the HTTP header, where its label is known;
 * 3. bytes that are valid UTF-8 and hold a multi-byte sequence are UTF-8. The HTML standard asks the
 *    `<meta>` first; but pages are re-encoded by archives and servers that leave the meta as it was, and
 *    text in a legacy charset is practically never valid UTF-8 by chance;
 * 4. `<meta charset>` or http-equiv in the first 16 KiB, else the XML declaration (`meta-charset.ts`);
 * 5. windows-1252.
 *
 * Declared UTF-8 (2 or 4) that is not valid: where wrong sequences outnumber the right multi-byte ones,
 * the page is windows-1252, else it is UTF-8 with a few U+FFFD in it.
 */

import { isAscii, isUtf8 } from 'node:buffer';
import { countControls, mostControls } from '../text/text-kernel.ts';
import type { JsonPage } from './html/html-kernel.ts';
import { BINARY_SAMPLE_LENGTH } from './html/kernel-layout.ts';
import { declaredCharset, encodingName } from './meta-charset.ts';

/** A page with more control characters than one in so many bytes is no text. */
const BINARY_ONE_IN = 50;

export interface DecodedText<Text = string> {
  readonly text: Text;
  /** WHATWG name, lower case. */
  readonly charset: string;
}

/**
 * Decodes a response body; malformed sequences become U+FFFD, a byte order mark is dropped.
 *
 * Returns null for binary data: more than one control character (zero bytes included; not tab, line
 * ends, form feed, escape) in 50 bytes of the first 64 KiB, unless it is UTF-16.
 *
 * @param headerCharset the label as the HTTP header gives it, null where it gives none.
 */
export function decodeBody(body: Uint8Array, headerCharset: string | null): DecodedText | null {
  const header =
    headerCharset === null ? null : encodingName(headerCharset.trim().replace(/^["']|["']$/g, ''));
  const marked = markedCharset(body);
  if (marked !== null) return decodeAs(body, marked);
  if (header === 'utf-16le' || header === 'utf-16be') return decodeAs(body, header);
  if (isBinary(body)) return null;
  if (header !== null && header !== 'utf-8') return decodeAs(body, header);

  if (isUtf8(body) && (header === 'utf-8' || !isAscii(body))) return decodeAs(body, 'utf-8');
  const declared = header ?? declaredCharset(body) ?? 'windows-1252';
  if (declared !== 'utf-8') return decodeAs(body, declared);
  const text = new TextDecoder('utf-8').decode(body);
  return isMostlyWrong(text) ? decodeAs(body, 'windows-1252') : { text, charset: 'utf-8' };
}

/** A text that was given as text, from its UTF-8. */
export function decodeText(body: Uint8Array): DecodedText {
  return decodeAs(body, 'utf-8');
}

/** The same from the text: as it would be once written in UTF-8 and read. */
export function decodedText(text: string | JsonPage): DecodedText<string | JsonPage> {
  if (typeof text !== 'string') return { text, charset: 'utf-8' };
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return { text: bare.toWellFormed(), charset: 'utf-8' };
}

function decodeAs(body: Uint8Array, charset: string): DecodedText {
  // A common case worth a short way: ASCII reads the same in both, and TextDecoder is slow on it.
  if ((charset === 'utf-8' || charset === 'windows-1252') && isAscii(body)) {
    return { text: Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), charset };
  }
  return { text: new TextDecoder(charset).decode(body), charset };
}

function markedCharset(body: Uint8Array): string | null {
  const [a, b, c, d] = body;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0x3c && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b === 0x3c && c === 0 && d !== 0) return 'utf-16be';
  return null;
}

/** Whether bytes are no text in a charset of which ASCII is a part. */
function isBinary(body: Uint8Array): boolean {
  const sample = body.subarray(0, BINARY_SAMPLE_LENGTH);
  return countControls(sample) * BINARY_ONE_IN > sample.length;
}

/** The same of a text, by its UTF-8. */
export function isBinaryText(text: string): boolean {
  // The bytes that are looked at are these units, or fewer of them.
  const units = text.slice(0, BINARY_SAMPLE_LENGTH);
  return mostControls(units) * BINARY_ONE_IN > units.length && isBinary(Buffer.from(text));
}

/** Whether a page of a line of JSON may be binary by `isBinaryText`: its bytes are its units, or more. */
export function mayBeBinary({ length, controlCount }: JsonPage): boolean {
  return controlCount * BINARY_ONE_IN > Math.min(length, BINARY_SAMPLE_LENGTH);
}

/** Of text decoded as UTF-8: more replacement characters than characters that came of right sequences? */
function isMostlyWrong(text: string): boolean {
  let wrong = 0;
  let right = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0xfffd) wrong++;
    else if (unit > 0x7f && (unit & 0xfc00) !== 0xdc00) right++;
  }
  return wrong > right;
}
