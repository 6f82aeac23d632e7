/** Documents that a command is given. */
import { readFile } from 'node:fs/promises';
import { InputError, optionFault } from '../../errors.ts';
import { decodeBody } from '../../page/decode.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The bytes of a file, or of standard input for `-`.
 *
 * Errors  InputError AKIN_ERR_INPUT_MISSING.
 */
export async function readDocument(path: string, { stdin }: Terminal): Promise<Uint8Array<ArrayBuffer>> {
  if (path === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  try {
    return await readFile(path);
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the document ${path}`, {
      hint: 'give the path of a text or HTML file, or - for standard input',
      cause,
    });
  }
}

/** The kind that --type names, or HTML where the first character is `<`. Errors  InputError AKIN_ERR_OPTION. */
export function documentKind(kind: unknown, bytes: Uint8Array): 'html' | 'text' {
  if (kind === 'text' || kind === 'html') return kind;
  if (kind !== undefined) {
    throw optionFault(`--type is "${kind}"`, 'allowed: text, html');
  }
  // An even number of bytes, for UTF-16.
  const start = decodeBody(bytes.subarray(0, 1024), null)?.text ?? '';
  return start.trimStart().startsWith('<') ? 'html' : 'text';
}
