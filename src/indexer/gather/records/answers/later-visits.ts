import { NumberColumn } from '../../../../lib/columns/number-column.ts';
import { Uint32List } from '../../../../lib/columns/uint32-list.ts';
import type { AnswerOrigin } from '../../../../sources/record/answers.ts';
import {
  VISIT_REFERENCES,
  VISIT_SEQUENCES,
  VISIT_SWEEPS,
  VISIT_TIMES,
} from '../../../files/records/stage-files.ts';
import type { WorkFiles } from '../../../files/work-folder.ts';

/** A visit that met a page as it had been. */
export interface VisitAgain extends AnswerOrigin {
  /** When the capture was fetched that it names; `UNDATED_MS` for the visit before. */
  readonly refersToMs: number;
}

interface Visit extends VisitAgain {
  /** Of the capture that held then. */
  readonly sequence: number;
}

/** When sweeps met pages as they had been before. */
export class LaterVisits {
  readonly #sequences = new Uint32List();
  readonly #sweeps = new Uint32List();
  readonly #times = new NumberColumn(Float64Array, 0);
  readonly #refersTo = new NumberColumn(Float64Array, 0);

  push({ sequence, sweepId, fetchedAtMs, refersToMs }: Visit): void {
    this.#times.set(this.#sequences.length, fetchedAtMs);
    this.#refersTo.set(this.#sequences.length, refersToMs);
    this.#sequences.push(sequence);
    this.#sweeps.push(sweepId);
  }

  /** By sequence; of one page in the order in which they came. */
  write(folder: WorkFiles): void {
    const [sequences, sweeps] = [this.#sequences.toArray(), this.#sweeps.toArray()];
    const order = Uint32Array.from(sequences, (_, i) => i).sort(
      (a, b) => sequences[a]! - sequences[b]! || a - b,
    );
    VISIT_SEQUENCES.write(
      folder,
      order.map((i) => sequences[i]!),
    );
    VISIT_SWEEPS.write(
      folder,
      order.map((i) => sweeps[i]!),
    );
    for (const [file, column] of [
      [VISIT_TIMES, this.#times],
      [VISIT_REFERENCES, this.#refersTo],
    ] as const) {
      file.write(
        folder,
        Float64Array.from(order, (i) => column.get(i)),
      );
    }
  }
}

/** Memory  24 bytes a visit. */
export class StoredVisits {
  readonly #sequences: Uint32Array;
  readonly #sweeps: Uint32Array;
  readonly #times: Float64Array;
  readonly #refersTo: Float64Array;

  constructor(folder: WorkFiles) {
    this.#sequences = VISIT_SEQUENCES.readOwn(folder);
    this.#sweeps = VISIT_SWEEPS.readOwn(folder);
    this.#times = VISIT_TIMES.readOwn(folder);
    this.#refersTo = VISIT_REFERENCES.readOwn(folder);
  }

  /** Those of a capture, the first first. */
  *of(sequence: number): IterableIterator<VisitAgain> {
    for (let at = this.#firstOf(sequence); this.#sequences[at] === sequence; at++) {
      yield {
        sweepId: this.#sweeps[at]!,
        fetchedAtMs: this.#times[at]!,
        refersToMs: this.#refersTo[at]!,
      };
    }
  }

  #firstOf(sequence: number): number {
    let [from, to] = [0, this.#sequences.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#sequences[middle]! < sequence) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
