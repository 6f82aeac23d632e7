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

  /** Makes room for `capacity` tokens; what is there stays. */
  grow(capacity: number): void {
    if (capacity <= this.high.length) return;
    const length = Math.max(capacity, 2 * this.high.length);
    this.high = copyInto(new Int32Array(length), this.high);
    this.low = copyInto(new Int32Array(length), this.low);
    this.starts = copyInto(new Uint32Array(length), this.starts);
    this.ends = copyInto(new Uint32Array(length), this.ends);
  }
}

function copyInto<T extends Int32Array | Uint32Array>(target: T, source: T): T {
  target.set(source);
  return target;
}
