import { write, writeSync } from 'node:fs';

const RETRY_MS = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Lines of a log to a file descriptor, in their order, without holding up the event loop; those that are left when the process
 * exits are written then. Where they are read no more there is no log, and the process goes on, and ends, without it.
 *
 * Memory  what a reader has not taken yet.
 */
export class LogLines {
  readonly #fd: number;
  #waiting: string[] = [];
  /** The rest of what is being written. */
  #writing: Buffer = NOTHING;
  #isLost = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeRest());
  }

  write(line: string): void {
    if (this.#isLost) return;
    this.#waiting.push(line);
    if (this.#writing.length === 0) this.#next();
  }

  #next(): void {
    if (this.#writing.length === 0) {
      this.#writing = Buffer.from(this.#waiting.join(''));
      this.#waiting = [];
    }
    write(this.#fd, this.#writing, (error, writtenBytes) => {
      if (error !== null) return this.#failed(error);
      this.#writing = this.#writing.subarray(writtenBytes);
      if (this.#writing.length > 0 || this.#waiting.length > 0) this.#next();
    });
  }

  #failed({ code }: NodeJS.ErrnoException): void {
    // A pipe that is full.
    if (code === 'EAGAIN') setTimeout(() => this.#next(), RETRY_MS);
    else {
      this.#isLost = true;
      this.#waiting = [];
    }
  }

  /** What is being written is left to the system. */
  #writeRest(): void {
    try {
      for (let rest = Buffer.from(this.#waiting.join('')); rest.length > 0; )
        rest = rest.subarray(writeSync(this.#fd, rest));
    } catch {
      // There is no one left to tell.
    }
  }
}
