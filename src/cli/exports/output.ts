/** Where an export goes: standard output, or a file that is there when it is complete. */
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { optionFault, TransientError } from '../../errors.ts';
import { linkedFile } from '../../store/linked-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Writes all of a text. A file is written beside the target, which it replaces at the end; it is compressed where its name
 * ends in .gz.
 *
 * Errors  TransientError AKIN_ERR_DISK where the disk is full, InputError AKIN_ERR_OPTION where the file cannot be written.
 */
export async function writeOut(
  terminal: Terminal,
  target: string | undefined,
  text: AsyncIterable<string>,
): Promise<void> {
  if (target === undefined) return pipeline(Readable.from(text), terminal.stdout, { end: false });
  const path = linkedFile(target);
  const next = `${path}.${process.pid}.part`;
  const source = Readable.from(text);
  const remove = () => rmSync(next, { force: true });
  // A signal ends the process at once.
  process.once('exit', remove);
  try {
    const file = createWriteStream(next, { flush: true });
    if (target.endsWith('.gz')) await pipeline(source, createGzip(), file);
    else await pipeline(source, file);
    renameSync(next, path);
  } catch (cause) {
    remove();
    throw asWriteError(cause, target);
  } finally {
    process.off('exit', remove);
  }
}

function asWriteError(cause: unknown, target: string): unknown {
  const { code, syscall, message } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new TransientError('AKIN_ERR_DISK', `the disk is full: ${target} was not written`, {
      hint: 'free space, or give a name that ends in .gz',
      cause,
    });
  }
  return optionFault(
    `cannot write ${target}: ${message}`,
    'give a file in a folder that you may write to',
    cause,
  );
}
