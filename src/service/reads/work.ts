/** More is to be read for an answer than the event loop may be held for: it is to be made on a thread. */
export class TooMuchWork extends Error {}

/** The client of the answer has gone. */
export class Unwanted extends Error {}

/** Thrown again and again, as each read of a long list throws it: without the stack of each. */
const TOO_MUCH = new TooMuchWork('more is to be done than the event loop may be held for');
const UNWANTED = new Unwanted('the client of the answer has gone');

const NEVER = new Int32Array(1);

/**
 * How much one answer may do where it is made, in microseconds as they are known of each kind of read: not measured, so that a
 * busy machine changes nothing.
 */
export class Work {
  readonly #stop: Int32Array;
  #leftUs: number;

  /** @param stop shared with who asked: not 0 from the time on that the client has gone. */
  constructor(mostUs = Number.POSITIVE_INFINITY, stop: Int32Array = NEVER) {
    this.#leftUs = mostUs;
    this.#stop = stop;
  }

  /** To be called before work is done. Errors  TooMuchWork, Unwanted. */
  spend(us: number): void {
    this.#leftUs -= us;
    if (this.#leftUs < 0) throw TOO_MUCH;
    if (Atomics.load(this.#stop, 0) !== 0) throw UNWANTED;
  }
}

/** What an answer may spend on the event loop: a list of ten, explained, takes a fifth of it. */
export const IN_PLACE_US = 10_000;

/** One look-up in the file: a row, what stands in it decoded and compared. */
export const ROW_US = 20;
