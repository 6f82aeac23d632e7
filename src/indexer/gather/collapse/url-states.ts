import { listIn } from '../../../lib/kept.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import { ByteReader } from '../../files/records/bytes.ts';
import type { VisitAgain } from '../records/answers/later-visits.ts';
import { atVisit, readState } from '../records/page-record.ts';
import type { PastCapture } from './past-captures.ts';

/**
 * What a URL had when it was visited, of all captures that an index keeps of it: which of them a visit met again.
 *
 *   day            1    2    3                4             5
 *   a visit        X    Y    refers to day 1  as before     refers to day 2
 *   what it met              X                X             Y
 */
export class UrlStates {
  readonly #captures: readonly PastCapture[];
  /** Captures and visits by the second: many archives name times by it. */
  readonly #bySecond = new Map<number, PastCapture[]>();
  #holding: PastCapture | null = null;
  /** What the visit before met, of the capture that holds. */
  #last: PastCapture | null = null;

  constructor(captures: readonly PastCapture[]) {
    this.#captures = captures;
    if (captures.length > 1) for (const capture of captures) this.#keep(capture);
  }

  /**
   * What a visit met: a capture at the time of the visit.
   *
   * @param holding the capture that holds for its URL; its visits come in their order.
   */
  met(holding: PastCapture, visit: VisitAgain): PastCapture {
    const { sweepId, fetchedAtMs } = visit;
    const { ownUrl, sequence, record } = this.#captures.length > 1 ? this.#stateAt(holding, visit) : holding;
    this.#last = { ownUrl, sequence, sweepId, fetchedAtMs, record: atVisit(record, visit) };
    if (this.#captures.length > 1) this.#keep(this.#last);
    return this.#last;
  }

  #keep(visit: PastCapture): void {
    listIn(this.#bySecond, seconds(visit.fetchedAtMs)).push(visit);
  }

  #stateAt(holding: PastCapture, { sweepId, refersToMs }: VisitAgain): PastCapture {
    let last = this.#holding === holding ? this.#last! : holding;
    this.#holding = holding;
    const isBefore = (one: PastCapture) => one.ownUrl === holding.ownUrl && one.sweepId < sweepId;
    for (const one of this.#captures) {
      const isSince = one.sweepId > last.sweepId && one.fetchedAtMs >= holding.fetchedAtMs;
      if (isSince && isBefore(one)) last = one;
    }
    const state = this.#named(refersToMs, isBefore) ?? last;
    return isApart(state, holding) ? state : holding;
  }

  #named(timeMs: number, isBefore: (one: PastCapture) => boolean): PastCapture | undefined {
    const near = timeMs === UNDATED_MS ? [] : (this.#bySecond.get(seconds(timeMs)) ?? []).filter(isBefore);
    const exact = near.find(({ fetchedAtMs }) => fetchedAtMs === timeMs);
    const isBySecond = timeMs % 1000 === 0;
    return exact ?? (isBySecond ? near.sort((a, b) => a.sweepId - b.sweepId)[0] : undefined);
  }
}

function seconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}

/** Whether of two captures of a URL the first has another text, and is kept where the second is. */
function isApart(one: PastCapture, other: PastCapture): boolean {
  if (one.sequence === other.sequence) return false;
  const [a, b] = [one, other].map(({ record }) => readState(new ByteReader(record)));
  return (
    (a!.canonical === '') === (b!.canonical === '') && Buffer.compare(a!.textDigest, b!.textDigest) !== 0
  );
}
