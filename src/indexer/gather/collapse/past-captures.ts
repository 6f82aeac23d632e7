import { speaksBefore } from '../../../sources/record/answers.ts';
import { siteOf } from '../../../url/site.ts';
import { ByteReader } from '../../files/records/bytes.ts';
import { readPageHead } from '../records/page-record.ts';

/** A capture that spoke for a URL in its sweep, or may have. */
export interface PastCapture {
  /** '' where it is the URL. */
  readonly ownUrl: string;
  readonly sequence: number;
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  readonly record: Uint8Array;
}

/** The past captures of one URL: of each sweep the one that spoke for it. */
export class PastCaptures {
  readonly #url: string;
  readonly #captures: PastCapture[] = [];
  readonly #folded: PastCapture[] = [];
  /** Of each own URL that asked not to be indexed, the sequence of the last capture that did. */
  readonly #erased = new Map<string, number>();
  #isHidden = false;

  constructor(url: string) {
    this.#url = url;
  }

  add(capture: PastCapture): void {
    this.#captures.push(capture);
  }

  /** One of another URL that the capture which speaks now speaks for, too: it counts up to the sweep of that. */
  addFolded(capture: PastCapture): void {
    this.#folded.push(capture);
  }

  /** A capture that asked not to be indexed: of its own URL none from before it stays. */
  erase({ ownUrl, sequence }: Pick<PastCapture, 'ownUrl' | 'sequence'>): void {
    this.#erased.set(ownUrl, Math.max(sequence, this.#erased.get(ownUrl) ?? -1));
  }

  isErased({ ownUrl, sequence }: PastCapture): boolean {
    return sequence <= (this.#erased.get(ownUrl) ?? -1);
  }

  /** The URL asks not to be indexed: nothing stays while it does. */
  hide(): void {
    this.#isHidden = true;
  }

  /** The records that stay, in the order of sweeps: none of the sweep that speaks now, and none that is erased. */
  kept(speakingSweepId: number): Uint8Array[] {
    if (this.#isHidden) return [];
    const bySweep = new Map<number, PastCapture>();
    const folded = this.#folded.filter(({ sweepId }) => sweepId < speakingSweepId);
    for (const capture of [...this.#captures, ...folded]) {
      const { sweepId } = capture;
      if (sweepId === speakingSweepId || this.isErased(capture)) continue;
      const other = bySweep.get(sweepId);
      if (other === undefined || spokeBefore(capture, other, this.#url)) bySweep.set(sweepId, capture);
    }
    return [...bySweep.values()].sort((a, b) => a.sweepId - b.sweepId).map(({ record }) => record);
  }
}

/** Whether of two captures of one sweep the first spoke for a URL: as `AliasBook` chooses, whatever order they are read in. */
function spokeBefore(a: PastCapture, b: PastCapture, url: string): boolean {
  if (a.ownUrl === b.ownUrl) return a.sequence > b.sequence;
  if (a.ownUrl === '' || b.ownUrl === '') return a.ownUrl === '';
  const speaker = ({ ownUrl, fetchedAtMs }: PastCapture) => {
    return { url: ownUrl, isOfSite: siteOf(ownUrl) === siteOf(url), fetchedAtMs };
  };
  return speaksBefore(speaker(a), speaker(b));
}

/** The capture of the latest time, of equals that of the latest sweep; `past` is in the order of sweeps. */
export function latest(past: readonly Uint8Array[]): Uint8Array {
  const timeOf = (record: Uint8Array) => readPageHead(new ByteReader(record)).fetchedAtMs;
  return past.reduce((a, b) => (timeOf(b) >= timeOf(a) ? b : a));
}
