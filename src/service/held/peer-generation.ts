/** One generation of an index whose shards are served by other processes: answers are made of what those say. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, Peer, PeerBusyError } from '../../net/peer.ts';
import { noEmptyAnswers } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import type { Settled } from '../http/reply.ts';
import { decodeReads, encodeReads, MAX_ANSWER_BYTES } from '../shards/read-codec.ts';
import { type LostShards, RequestReads } from '../shards/request-reads.ts';
import { LONG_READS } from '../shards/shard-reads.ts';
import { UnionReader } from '../shards/union-reader.ts';
import type { UnionFacts } from '../shards/union-reads.ts';
import type { PeersOrder } from './document-threads.ts';
import { Generation, type GenerationOptions } from './generation.ts';

export const READS_PATH = '/shard/reads';
/** Times that an answer is made, each with more at hand; what takes more goes in circles. */
const MAX_ROUNDS = 256;
/** A server that has too much to do is asked again. */
const ATTEMPTS = 5;
const RETRY_MS = 200;
/** Time that a server is not asked for long reads, after one of them took too long. */
const SLOW_MS = 5_000;
const BUSY_SECONDS = '2';

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

/** The generation that a thread answers for, and what it is told of lost shards. */
export function openOrder(
  { places: urls, timeLimitMs, facts }: PeersOrder,
  options: GenerationOptions,
): { readonly generation: Generation; setLost(lost: readonly number[]): void } {
  const places = urls.map((place) => place && { asked: peerAt(place.url, timeLimitMs), ...place });
  const setLost = (lost: readonly number[]) => {
    for (const [shard, place] of places.entries()) if (place) place.asked.isLost = lost.includes(shard);
  };
  return { generation: generationOfPeers(places, facts, options), setLost };
}

/** A server that was not asked yet. */
export function peerAt(url: string, timeLimitMs: number): AskedPeer {
  const peer = new Peer(url, { timeLimitMs, maxBytes: MAX_ANSWER_BYTES });
  return { peer, isLost: true, slowUntilMs: 0, past: null };
}

/** Closing it leaves the peers as they are. */
export function generationOfPeers(
  places: PeerPlaces,
  facts: UnionFacts,
  options: GenerationOptions,
): Generation {
  return new ServedByPeers(places, facts, options).generation;
}

class ServedByPeers {
  readonly generation: Generation;
  readonly #places: PeerPlaces;
  readonly #facts: UnionFacts;
  readonly #options: GenerationOptions;

  constructor(places: PeerPlaces, facts: UnionFacts, options: GenerationOptions) {
    this.#places = places;
    this.#facts = facts;
    // Views of one answer have no threads of their own.
    const { documentWorker: _worker, peers: _peers, ...own } = options;
    this.#options = own;
    const settle = <Value>(make: (view: Generation) => Value) => this.#settle(make);
    this.generation = Generation.ofShards(new UnionReader(this.#request(), facts), { ...options, settle });
  }

  #request(): RequestReads {
    const nowMs = performance.now();
    const slow = this.#places.flatMap((place, i) => (place && place.asked.slowUntilMs > nowMs ? [i] : []));
    const lost: LostShards = { lost: lostOf(this.#places), slow };
    const known = this.#places.map((place) => place !== null);
    return new RequestReads(known, this.#facts.homes, lost, (shard, reads) => this.#ask(shard, reads));
  }

  async #ask(shard: number, reads: readonly (readonly unknown[])[]): Promise<readonly unknown[] | null> {
    const place = this.#places[shard];
    if (place === null || place === undefined) return null;
    const { asked, generation } = place;
    const isLong = LONG_READS.has(reads[0]![0] as string);
    const isWanted = () => !asked.isLost && (!isLong || asked.slowUntilMs <= performance.now());
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
      if (isLong && isTimeout(error)) asked.slowUntilMs = performance.now() + SLOW_MS;
      else asked.isLost = true;
      return null;
    }
  }

  async #settle<Value>(make: (view: Generation) => Value): Promise<Settled<Value>> {
    const request = this.#request();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const emptyAnswers = noEmptyAnswers();
      const view = Generation.ofShards(new UnionReader(request, this.#facts), {
        ...this.#options,
        readsAhead: true,
        emptyAnswers,
      });
      if (this.generation.hasReadLinks) view.links = this.generation.links;
      request.begin();
      let made: { readonly value: Value } | { readonly error: unknown };
      try {
        made = { value: make(view) };
      } catch (error) {
        made = { error };
      }
      if (request.isWhole) {
        const lost = [...request.missed].sort((a, b) => a - b);
        if ('error' in made) throw saidToLack(made.error, lost);
        if (request.missed.size === request.count) throw nobody();
        for (const reason of Object.keys(emptyAnswers) as (keyof typeof emptyAnswers)[]) {
          this.generation.emptyAnswers[reason] += emptyAnswers[reason];
        }
        return { value: made.value, lost };
      }
      await request.fetch();
    }
    throw new Error(`an answer was not whole after ${MAX_ROUNDS} rounds of reads`);
  }
}

/** A problem says in a header which shards it does not know of: it may name the pages nearest to the URL asked for. */
function saidToLack(error: unknown, lost: readonly number[]): unknown {
  if (!(error instanceof Problem) || lost.length === 0) return error;
  const { code, message, errors, nearest, headers } = error;
  const all = { ...headers, 'akin-lost-shards': lost.join(', ') };
  return new Problem(code, message, {
    ...(errors && { errors }),
    ...(nearest && { nearest }),
    headers: all,
    cause: error,
  });
}

/** An answer of nothing would be taken for one. */
function nobody(): Problem {
  return new Problem('shard-unavailable', 'no shard can be asked for this now');
}

function overloaded(): Problem {
  return new Problem('overloaded', 'too much is asked of the shards', {
    headers: { 'retry-after': BUSY_SECONDS },
  });
}
