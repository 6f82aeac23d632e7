/**
 * What to fetch next, as in Mercator: front queues say what is important, back queues keep hosts apart.
 *
 *   front queues, one a priority      selector          back queues, one host each     heap of next times
 *   0 |||||||||||| ──┐           biased to the first    a.example |||||      ──┐
 *   1 ||||||||     ──┼────────────────────────────────> b.example ||||||||   ──┼──────> the earliest due
 *   2 ||||||||||   ──┘                                  c.example ||         ──┘
 *
 * All URLs lie in the store, by host and priority; a back queue is the few of its host that come next. It takes part in
 * the heap while nothing is fetched from its host, so a host never has two fetches at once. When it is used up it takes
 * more of its host, or another host where one waits, so that none of three times as many back queues as slots is empty
 * while there is work for it. Where robots.txt leads to another host, the back queue of that one makes the request, as an errand.
 *
 * Source  Heydon, Najork, Mercator: A scalable, extensible web crawler, World Wide Web 2 (1999);
 *         Manning, Raghavan, Schuetze, Introduction to Information Retrieval (2008), section 20.2.3.
 */
import type { FrontierStore } from '../../store/frontier/frontier-store.ts';
import type { HostRecord, NewUrl, QueuedUrl } from '../../store/frontier/records.ts';
import { hostOf } from '../../url/site.ts';
import type { RefusalReason } from '../folder/counts.ts';
import type { RobotsRequest } from '../rules/robots-cache.ts';
import { OriginHolds } from './origin-holds.ts';
import { TimeHeap } from './time-heap.ts';

/** Front queues. */
export const PRIORITIES = 4;
/** As the authors advise. */
const BACK_QUEUES_A_SLOT = 3;
/** URLs of a host before another host gets its turn. */
const BATCH = 32;

export interface BackQueue {
  readonly hostId: number;
  readonly host: string;
  /** What comes next; still queued in the store. */
  readonly urls: QueuedUrl[];
  nextAtMs: number;
  /** URLs fetched from the host. */
  fetched: number;
  /** Branches of the host that were given up. */
  readonly stopped: Set<string>;
  /** What others need from the host; it comes before what is queued. */
  readonly errands: Errand[];
  /** Whether nothing that is queued may be fetched before an errand of this queue is done. */
  isWaiting: boolean;
}

/** A request on the way to the robots.txt of another host, which redirects lead to this one. */
interface Errand {
  readonly of: BackQueue;
  readonly request: RobotsRequest;
}

export class Frontier {
  readonly #store: FrontierStore;
  readonly #random: () => number;
  readonly #earliestMs: number;
  readonly #capacity: number;
  readonly #due = new TimeHeap<BackQueue>();
  /** The back queues by their hosts, those of which something is being fetched included. */
  readonly #active = new Map<number, BackQueue>();
  /** Those that take no part in the heap, as they wait. */
  readonly #waiting = new Set<BackQueue>();
  /** Whether a host without a back queue may have URLs. */
  #isAnyWaiting = true;
  /** Hosts given up. */
  readonly #retired = new Set<number>();
  readonly #holds: OriginHolds;

  /** @param earliestMs before this no host is due: what ended just before the last process died is not known. */
  constructor(store: FrontierStore, slots: number, random: () => number, earliestMs: number) {
    this.#store = store;
    this.#earliestMs = earliestMs;
    this.#random = random;
    this.#capacity = BACK_QUEUES_A_SLOT * slots;
    this.#holds = new OriginHolds(store);
  }

  /** Notes a canonical URL; the id of its host where it was never seen before, else null. */
  meet(url: string): number | null {
    const hostId = this.#store.hostId(hostOf(url));
    return this.#store.see(hostId, url) ? hostId : null;
  }

  /** Queues a URL that was met for the first time; for later where its host was given up. */
  add(hostId: number, url: NewUrl): void {
    const isParked = this.#retired.has(hostId);
    this.#store.enqueue(hostId, [url], { isParked });
    if (!isParked && !this.#active.has(hostId)) this.#isAnyWaiting = true;
  }

  /** The back queue that is due; no one else gets it until it is handed back. */
  next(nowMs: number): BackQueue | null {
    if (this.#holds.release(nowMs)) this.#isAnyWaiting = true;
    this.#fill();
    while (this.#due.earliestMs <= nowMs) {
      const queue = this.#due.pop()!;
      // Rules that came meanwhile may ask for a longer gap.
      if (queue.nextAtMs <= nowMs) return queue;
      this.#due.push(queue.nextAtMs, queue);
    }
    return null;
  }

  /** When `next` can have something; Infinity where nothing is left but what is being fetched. */
  get nextDueMs(): number {
    this.#fill();
    return Math.min(this.#due.earliestMs, this.#holds.earliestMs);
  }

  /** Ends the turn of a back queue. */
  handBack(queue: BackQueue): void {
    const { hostId } = queue;
    if (queue.isWaiting && queue.errands.length === 0) {
      this.#waiting.add(queue);
      return;
    }
    const isUsedUp = queue.urls.length === 0 && !this.#retired.has(hostId);
    if (isUsedUp && !this.#isAnyWaiting) this.#refill(queue);
    if (queue.urls.length + queue.errands.length > 0) {
      this.#due.push(queue.nextAtMs, queue);
    } else {
      this.#store.release(hostId, queue.nextAtMs);
      this.#active.delete(hostId);
      this.#isAnyWaiting = true;
    }
  }

  /** Has the host of a request make it in its turn. Until `endErrand` nothing that is queued of the asking host is fetched. */
  send(errand: Errand): void {
    const hostId = this.#store.hostId(hostOf(errand.request.url));
    errand.of.isWaiting = true;
    let queue = this.#active.get(hostId);
    if (queue === undefined) {
      queue = this.#open(this.#store.activateHost(hostId));
      this.#waiting.add(queue);
    }
    queue.errands.push(errand);
    if (this.#waiting.delete(queue)) this.#due.push(queue.nextAtMs, queue);
  }

  /** @param queue that an errand was made for. */
  endErrand(queue: BackQueue): void {
    queue.isWaiting = false;
    if (this.#waiting.delete(queue)) this.handBack(queue);
  }

  /** Whether an origin is left alone. */
  isHeld(origin: string): boolean {
    return this.#holds.has(origin);
  }

  /** A URL that is to be tried once more, after all others of its host. */
  putBack(queue: BackQueue, url: QueuedUrl): void {
    this.#store.remove(queue.hostId, url);
    this.#store.enqueue(queue.hostId, [url], { attempts: url.attempts + 1 });
  }

  /** Leaves an origin of a host alone until then, Infinity for the whole run; its other origins go on. */
  hold(queue: BackQueue, origin: string, untilMs: number): void {
    this.#holds.add(queue.hostId, origin, untilMs);
    queue.urls.splice(0, Infinity, ...queue.urls.filter((url) => !this.#holds.park(queue.hostId, url)));
  }

  /** Gives up a branch of a host. */
  stopBranch(queue: BackQueue, branch: string): void {
    queue.stopped.add(branch);
    this.#store.stopBranch(queue.hostId, branch);
  }

  /** Gives up a host for this run: what is queued of it, and will be, is left for the next one. */
  retire(queue: BackQueue, reason: RefusalReason): void {
    queue.urls.length = 0;
    this.#retired.add(queue.hostId);
    this.#holds.drop(queue.hostId);
    this.#store.retire(queue.hostId, reason);
  }

  #fill(): void {
    while (this.#isAnyWaiting && this.#active.size < this.#capacity) {
      const queue = this.#activate();
      this.#isAnyWaiting = queue !== null;
      if (queue === null) return;
      this.#due.push(queue.nextAtMs, queue);
    }
  }

  /** A host that waits, from a front queue chosen with a bias to the first. */
  #activate(): BackQueue | null {
    const drawn = this.#drawPriority();
    let found = this.#store.activate(drawn);
    for (let priority = 0; found === null && priority < PRIORITIES; priority++) {
      if (priority !== drawn) found = this.#store.activate(priority);
    }
    return found && this.#open(found);
  }

  #open({ id, name, fetched, ...found }: HostRecord): BackQueue {
    const nextAtMs = Math.max(found.nextAtMs, this.#earliestMs);
    const stopped = new Set(this.#store.stoppedBranches(id));
    const queue: BackQueue = {
      ...{ hostId: id, host: name, urls: [], nextAtMs, fetched, stopped, errands: [], isWaiting: false },
    };
    this.#active.set(id, queue);
    // What is queued of a host that was given up stays where it is.
    if (this.#retired.has(id)) return queue;
    this.#holds.begin(id);
    this.#refill(queue);
    return queue;
  }

  #refill(queue: BackQueue): void {
    const lists: QueuedUrl[][] = [];
    for (let priority = 0; priority < PRIORITIES; priority++) {
      let list: QueuedUrl[];
      do list = this.#store.first(queue.hostId, priority, BATCH);
      while (list.filter((url) => this.#holds.park(queue.hostId, url)).length > 0);
      lists.push(list.reverse());
    }
    while (queue.urls.length < BATCH) {
      const drawn = lists[this.#drawPriority()]!;
      const list = drawn.length > 0 ? drawn : lists.find(({ length }) => length > 0);
      if (list === undefined) return;
      queue.urls.push(list.pop()!);
    }
  }

  /** 0 half of the times, each next one half as often as the one before. */
  #drawPriority(): number {
    const drawn = Math.floor(-Math.log2(1 - this.#random()));
    return Math.min(drawn, PRIORITIES - 1);
  }
}
