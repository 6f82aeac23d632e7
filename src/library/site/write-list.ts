import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { InputError } from '../../errors.ts';
import { decodeBody } from '../../page/decode.ts';
import { listPlaces, withList, withoutList } from '../../page/html/list-places.ts';

/**
 * Writes a list at the places of a page, by a temporary file and a rename, where that changes its bytes. All other bytes
 * stay; the list gets the line ends of the page, and what the encoding may lack as character references.
 *
 * @param list null to take away what an earlier run wrote.
 * Errors  InputError AKIN_ERR_INPUT_UNREADABLE where the file cannot be read or written.
 */
export function writeList(
  path: Buffer,
  list: string | null,
  dryRun: boolean,
): 'changed' | 'unchanged' | 'unwritable' {
  try {
    const bytes = readFileSync(path);
    const charset = decodeBody(bytes, null)?.charset ?? 'binary';
    if (/^(?:utf-16|iso-2022-jp|binary)/.test(charset)) return 'unwritable';
    const page = bytes.toString('latin1');
    const places = listPlaces(page);
    const after =
      list === null ? withoutList(page, places) : withList(page, places, asWritten(list, page, charset));
    if (after === page) return 'unchanged';
    if (!dryRun) replaceFile(path, Buffer.from(after, 'latin1'));
    return 'changed';
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_UNREADABLE', `${path}: ${(cause as Error).message}`, {
      hint: 'check the permissions of the folder and of its files',
      cause,
    });
  }
}

/** The bytes of the list as latin1. */
function asWritten(list: string, page: string, charset: string): string {
  const lines = /\r?\n/.exec(page)?.[0] === '\r\n' ? list.replaceAll('\n', '\r\n') : list;
  if (charset === 'utf-8') return Buffer.from(lines).toString('latin1');
  return lines.replace(/[^\0-\x7f]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

function replaceFile(path: Buffer, bytes: Buffer): void {
  // A link stays one. Names are bytes, in whatever encoding.
  const file = realpathSync.native(path, 'buffer');
  const name = file.lastIndexOf(sep) + 1;
  const next = Buffer.concat([
    file.subarray(0, name),
    Buffer.from('.'),
    file.subarray(name),
    Buffer.from(`.akin-${process.pid}`),
  ]);
  try {
    const { mode } = statSync(file);
    writeFileSync(next, bytes, { mode });
    // Whatever the mask of the process took away.
    chmodSync(next, mode);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
