/** Words of one text, in order, by their numbers in the lexicon. Arrays as in a `TokenSequence`. */
export class WordSequence {
  count = 0;
  numbers = new Uint32Array(1024);
  /** Word i stands at `text.slice(starts[i], ends[i])`. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);

  /** Takes `count` words from three columns of `room` values of 4 bytes each, which begin at a byte of a buffer. */
  set(buffer: ArrayBuffer, at: number, room: number, count: number): void {
    if (count > this.numbers.length) {
      const length = Math.max(count, 2 * this.numbers.length);
      this.numbers = new Uint32Array(length);
      this.starts = new Uint32Array(length);
      this.ends = new Uint32Array(length);
    }
    this.count = count;
    this.numbers.set(new Uint32Array(buffer, at, count));
    this.starts.set(new Uint32Array(buffer, at + 4 * room, count));
    this.ends.set(new Uint32Array(buffer, at + 8 * room, count));
  }
}
