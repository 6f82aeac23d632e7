/**
 * Tokens of one text, in order. The arrays are longer than `count`, and are written over by the next
 * `readTokens` into the same sequence.
 */
export class TokenSequence {
  count = 0;
  /** Fingerprint lanes: token i is `high[i]`, `low[i]`. */
  high = new Int32Array(1024);
  low = new Int32Array(1024);
  /** Token i is `text.slice(starts[i], ends[i])`, before folding. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);

  /** Takes `count` tokens from four columns of `room` values of 4 bytes each, which begin at a byte of a buffer. */
  set(buffer: ArrayBuffer, at: number, room: number, count: number): void {
    if (count > this.high.length) {
      const length = Math.max(count, 2 * this.high.length);
      this.high = new Int32Array(length);
      this.low = new Int32Array(length);
      this.starts = new Uint32Array(length);
      this.ends = new Uint32Array(length);
    }
    this.count = count;
    this.high.set(new Int32Array(buffer, at, count));
    this.low.set(new Int32Array(buffer, at + 4 * room, count));
    this.starts.set(new Uint32Array(buffer, at + 8 * room, count));
    this.ends.set(new Uint32Array(buffer, at + 12 * room, count));
  }
}
