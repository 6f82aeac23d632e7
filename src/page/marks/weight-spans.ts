import type { PageText } from '../html/page-text.ts';
import type { WeightSpan } from './marks.ts';

/** The parts of a page whose words count several times, as they are met; of one within another the inner weight counts. */
export class WeightSpans {
  readonly #text: PageText;
  readonly #spans: WeightSpan[] = [];
  readonly #open: number[] = [];
  #from = 0;

  constructor(text: PageText) {
    this.#text = text;
  }

  open(weight: number): void {
    this.#cut();
    this.#open.push(weight);
  }

  close(): void {
    this.#cut();
    this.#open.pop();
  }

  /** Ascending, none within another, none empty, none of weight 1. */
  spans(): readonly WeightSpan[] {
    return this.#spans;
  }

  #cut(): void {
    const weight = this.#open.at(-1) ?? 1;
    const [start, end] = [this.#from, this.#text.length];
    if (weight !== 1 && start < end) this.#spans.push({ start, end, weight });
    this.#from = end;
  }
}
