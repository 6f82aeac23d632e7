import { write, writeSync } from 'node:fs';

const RETRY_MS = 10;
const DISK_RETRY_MS = 250;
/** A disk that is full now. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);
/** Of lines that are not read yet; a reader that stands still makes no process grow. */
const MOST_WAITING_CHARS = 2 ** 22;
const NOTHING = Buffer.alloc(0);
/** For a slow reader when the process exits, some second: they are counted, as a process that is held up has given it no time. */
const MOST_LAST_RETRIES = 100;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lines of a log to a file descriptor, in their order, without holding up the event loop; those that are left when the process
 * exits are written then, as far as they are read within a second. Where they are read no more there is no log, and the process goes on, and ends, without it. Lines that
 * a reader, or a disk, leaves no room for are left out, and a line says in their place how many.
 */
export class LogLines {
  readonly #fd: number;
  #waiting: string[] = [];
  #waitingChars = 0;
  #leftOutCount = 0;
  /** The rest of what is being written. */
  #writing: Buffer = NOTHING;
  /** Whether the system has that: how much of it is written is not known. */
  #isInFlight = false;
  /** Whether a write returns where there is no room, as to a pipe that was full: it takes no thread then. */
  #returnsAtOnce = false;
  #isLost = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#writeRest());
  }

  write(line: string): void {
    if (this.#isLost) return;
    if (this.#waitingChars + line.length > MOST_WAITING_CHARS) {
      this.#leftOutCount++;
      return;
    }
    this.#waitingChars += line.length;
    this.#waiting.push(line);
    if (this.#writing.length === 0) this.#next();
  }

  #next(): void {
    if (this.#writing.length === 0) {
      this.#writing = this.#takeWaiting();
    }
    if (this.#returnsAtOnce) {
      this.#writeNow();
      return;
    }
    this.#isInFlight = true;
    write(this.#fd, this.#writing, (error, writtenBytes) => {
      this.#isInFlight = false;
      if (error !== null) return this.#failed(error);
      this.#writing = this.#writing.subarray(writtenBytes);
      if (this.#writing.length > 0 || this.#waiting.length > 0) this.#next();
    });
  }

  #writeNow(): void {
    try {
      this.#writing = this.#writing.subarray(writtenNow(this.#fd, this.#writing));
    } catch (error) {
      this.#failed(error as NodeJS.ErrnoException);
      return;
    }
    if (this.#writing.length > 0 || this.#waiting.length > 0) setTimeout(() => this.#next(), RETRY_MS);
  }

  #takeWaiting(): Buffer {
    if (this.#leftOutCount > 0) this.#waiting.push(leftOutLine(this.#leftOutCount));
    const lines = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingChars = 0;
    this.#leftOutCount = 0;
    return lines;
  }

  #failed({ code }: NodeJS.ErrnoException): void {
    if (code === 'EAGAIN') {
      this.#returnsAtOnce = true;
      setTimeout(() => this.#next(), RETRY_MS);
    } else if (NO_ROOM.has(code)) setTimeout(() => this.#next(), DISK_RETRY_MS).unref();
    else {
      this.#isLost = true;
      this.#waiting = [];
    }
  }

  #writeRest(): void {
    const begun = this.#isInFlight ? NOTHING : this.#writing;
    let rest = Buffer.concat([begun, this.#takeWaiting()]);
    try {
      for (let retries = 0; rest.length > 0 && retries < MOST_LAST_RETRIES; ) {
        const writtenBytes = writtenNow(this.#fd, rest);
        rest = rest.subarray(writtenBytes);
        if (writtenBytes > 0) continue;
        retries++;
        Atomics.wait(PAUSE, 0, 0, RETRY_MS);
      }
    } catch {
      // There is no one left to tell.
    }
  }
}

/** How many bytes a pipe takes now. */
function writtenNow(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** As pino writes a warning. */
function leftOutLine(count: number): string {
  const msg = `${count} lines are left out here: the log was not read`;
  return `${JSON.stringify({ level: 40, time: Date.now(), name: 'akin', leftOut: count, msg })}\n`;
}
