import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { CorruptError } from '../../errors.ts';

/**
 * A file that only grows, of which some length is committed elsewhere. What stands behind that length when it is opened
 * was written by a process that died before its commit, and is cut off.
 */
export class CommittedFile {
  readonly #fd: number;
  #pending: Buffer[] = [];
  /** With what is not written yet. */
  lengthBytes: number;
  #writtenBytes: number;

  constructor(path: string, committedBytes: number) {
    this.#fd = openSync(path, committedBytes === 0 ? 'w' : 'r+');
    const { size: sizeBytes } = fstatSync(this.#fd);
    if (sizeBytes < committedBytes) {
      closeSync(this.#fd);
      throw new CorruptError(
        'AKIN_ERR_INDEX_CORRUPT',
        `${path} has ${sizeBytes} bytes, but ${committedBytes} were committed`,
        { hint: 'restore the file, or begin the crawl again in another folder' },
      );
    }
    // The time of a file that stays as it is says whether an index has read all of it.
    if (sizeBytes > committedBytes) ftruncateSync(this.#fd, committedBytes);
    this.lengthBytes = committedBytes;
    this.#writtenBytes = committedBytes;
  }

  append(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.lengthBytes += bytes.length;
  }

  /** Makes what was appended durable. */
  sync(): void {
    if (this.#pending.length === 0) return;
    const bytes = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending);
    this.#pending = [];
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(this.#fd, bytes, at, bytes.length - at, this.#writtenBytes + at);
    }
    this.#writtenBytes += bytes.length;
    fdatasyncSync(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}
