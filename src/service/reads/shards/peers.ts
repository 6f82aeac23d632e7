/** Shards that are served by other processes: answers are made of what those say. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, Peer, PeerBusyError } from '../../../net/peer.ts';
import { Problem } from '../../http/problems/problem.ts';
import type { OpenIndex } from '../file/open-index.ts';
import { decodeReads, encodeReads, MAX_ANSWER_BYTES } from '../read-codec.ts';
import { isLong, READS_PATH } from '../read-table.ts';
import type { Work } from '../work.ts';
import { RequestReads } from './request-reads.ts';
import type { UnionFacts } from './union-facts.ts';
import { indexOfShards } from './union-index.ts';

/** A server that has too much to do is asked again. */
const ATTEMPTS = 5;
const RETRY_MS = 200;
/** Time that a server is not asked for long reads, after one of them took too long. */
const SLOW_MS = 5_000;
const BUSY_SECONDS = '2';
/** To ask for a read and to take its answer, as the event loop has to. */
const REMOTE_READ_US = 5;

/** A shard's server, as answers ask it. */
export interface AskedPeer {
  readonly peer: Peer;
  /** Cannot be asked: it counts as lost until it was looked at. */
  isLost: boolean;
  /** `performance.now()` until which it is not asked for long reads. */
  slowUntilMs: number;
  /** A generation that it does not answer for any more. */
  past: string | null;
}

/** The shards of one generation, by their numbers; null for one that nothing is known of. */
export type PeerPlaces = readonly ({ readonly asked: AskedPeer; readonly generation: string } | null)[];

/** The same, for threads. */
export interface PeersOrder {
  readonly places: readonly ({ readonly url: string; readonly generation: string } | null)[];
  readonly timeLimitMs: number;
  readonly facts: UnionFacts;
}

/** Numbers of the shards that cannot be asked now. */
export function lostOf(places: PeerPlaces): number[] {
  const isLost = (place: PeerPlaces[number]) =>
    place === null || place.asked.isLost || place.asked.past === place.generation;
  return places.flatMap((place, shard) => (isLost(place) ? [shard] : []));
}

/** What threads are to ask. */
export function orderOf(places: PeerPlaces, facts: UnionFacts, timeLimitMs: number): PeersOrder {
  const urls = places.map((place) => place && { url: place.asked.peer.url, generation: place.generation });
  return { places: urls, timeLimitMs, facts };
}

/** The index that a thread answers for, and how it is to know of lost shards. */
export function openOrder({ places: urls, timeLimitMs, facts }: PeersOrder): {
  readonly index: OpenIndex;
  setLost(lost: readonly number[]): void;
  close(): void;
} {
  const places = urls.map((place) => place && { asked: peerAt(place.url, timeLimitMs), ...place });
  const setLost = (lost: readonly number[]) => {
    for (const [shard, place] of places.entries()) {
      if (place === null) continue;
      place.asked.isLost = lost.includes(shard);
      // Who looks at the servers knows whether one was given its last file again.
      place.asked.past = null;
    }
  };
  const close = () => {
    for (const place of places) void place?.asked.peer.close();
  };
  return { index: indexOfPeers(places, facts), setLost, close };
}

/** A server that was not asked yet. */
export function peerAt(url: string, timeLimitMs: number): AskedPeer {
  const peer = new Peer(url, { timeLimitMs, maxBytes: MAX_ANSWER_BYTES });
  return { peer, isLost: true, slowUntilMs: 0, past: null };
}

/** Closing it leaves the peers as they are. */
export function indexOfPeers(places: PeerPlaces, facts: UnionFacts): OpenIndex {
  const known = places.map((place) => place !== null);
  const request = (work: Work) => {
    const nowMs = performance.now();
    const slow = places.flatMap((place, i) => (place && place.asked.slowUntilMs > nowMs ? [i] : []));
    const lost = { lost: lostOf(places), slow };
    return new RequestReads(known, facts.homes, lost, (shard, reads) => {
      work.spend(reads.length * REMOTE_READ_US);
      return ask(places[shard]!, reads);
    });
  };
  return indexOfShards(facts, request, () => {});
}

async function ask(
  place: PeerPlaces[number],
  reads: readonly (readonly unknown[])[],
): Promise<readonly unknown[] | null> {
  if (place === null) return null;
  const { asked, generation } = place;
  const areLong = isLong(reads[0]![0] as string);
  const isWanted = () => !asked.isLost && (!areLong || asked.slowUntilMs <= performance.now());
  try {
    const body = encodeReads({ generation, reads });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await asked.peer.ask(READS_PATH, body, isWanted);
      if (answer === null) return null;
      const { status, text } = answer;
      if (status === 200) return decodeReads(text) as unknown[];
      if (status === 410) asked.past = generation;
      if (status !== 503) return null;
      await sleep(RETRY_MS);
    }
    return null;
  } catch (error) {
    if (error instanceof PeerBusyError) throw overloaded();
    // It may have much to do, and look-ups be answered all the same.
    if (areLong && isTimeout(error)) asked.slowUntilMs = performance.now() + SLOW_MS;
    else asked.isLost = true;
    return null;
  }
}

function overloaded(): Problem {
  return new Problem('overloaded', 'too much is asked of the shards', {
    headers: { 'retry-after': BUSY_SECONDS },
  });
}
