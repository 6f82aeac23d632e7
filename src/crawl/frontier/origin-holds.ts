/**
 * Origins (scheme, host and port) left alone after a failure. A gap belongs to the host, a wait after a failure to the
 * origin: its URLs are parked in the store, so that a link to a closed port does not hold up the host.
 */
import type { FrontierStore } from '../../store/frontier/frontier-store.ts';
import type { QueuedUrl } from '../../store/frontier/records.ts';
import { TimeHeap } from './time-heap.ts';

interface Hold {
  readonly hostId: number;
  readonly origin: string;
}

export class OriginHolds {
  readonly #store: FrontierStore;
  readonly #origins = new Set<string>();
  readonly #ends = new TimeHeap<Hold>();
  /** How many URLs are parked, by host. */
  readonly #parked = new Map<number, number>();

  constructor(store: FrontierStore) {
    this.#store = store;
  }

  /** When the first hold ends; Infinity where no URL waits for one. */
  get earliestMs(): number {
    return this.#parked.size > 0 ? this.#ends.earliestMs : Infinity;
  }

  add(hostId: number, origin: string, untilMs: number): void {
    this.#origins.add(origin);
    if (untilMs < Infinity) this.#ends.push(untilMs, { hostId, origin });
  }

  has(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Sets a URL aside where its origin is held; whether it is. */
  park(hostId: number, url: QueuedUrl): boolean {
    if (!this.has(originOf(url.url))) return false;
    this.#store.park(hostId, url);
    this.#parked.set(hostId, (this.#parked.get(hostId) ?? 0) + 1);
    return true;
  }

  /** Ends the holds that are over; whether URLs are back in their places. */
  release(nowMs: number): boolean {
    let isAny = false;
    while (this.#ends.size > 0 && this.#ends.earliestMs <= nowMs) {
      const { hostId, origin } = this.#ends.pop()!;
      this.#origins.delete(origin);
      const parked = this.#parked.get(hostId);
      if (parked === undefined) continue;
      const count = this.#store.unpark(hostId, `${origin}/`);
      if (count === parked) this.#parked.delete(hostId);
      else this.#parked.set(hostId, parked - count);
      isAny ||= count > 0;
    }
    return isAny;
  }

  /** A host gets a back queue: what a process before this one parked of it is back in its place. */
  begin(hostId: number): void {
    if (!this.#parked.has(hostId)) this.#store.unpark(hostId, '');
  }

  /** Nothing is queued of the host any more. */
  drop(hostId: number): void {
    this.#parked.delete(hostId);
  }
}

/** `https://a.example:81` of a URL. */
export function originOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
}
