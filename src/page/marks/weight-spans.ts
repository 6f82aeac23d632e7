import type { WeightSpan } from './marks.ts';

/** The parts of a page whose words count several times, as they are met; of one within another the inner weight counts. */
export class WeightSpans {
  readonly #spans: WeightSpan[] = [];
  readonly #open: number[] = [];
  #from = 0;

  /** @param at how long the text of the page is so far. */
  open(weight: number, at: number): void {
    this.#cut(at);
    this.#open.push(weight);
  }

  close(at: number): void {
    this.#cut(at);
    this.#open.pop();
  }

  /** Ascending, none within another, none empty, none of weight 1. */
  spans(): readonly WeightSpan[] {
    return this.#spans;
  }

  #cut(end: number): void {
    const weight = this.#open.at(-1) ?? 1;
    const start = this.#from;
    if (weight !== 1 && start < end) this.#spans.push({ start, end, weight });
    this.#from = end;
  }
}
