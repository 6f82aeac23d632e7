/**
 * Shards behind HTTP, each served by a process of its own, as one index.
 *
 * The processes are asked once a second which generation they serve. A shard that does not answer is lost until it does
 * again: answers go on without it and say so. New generations are taken up together, once all shards are of one index;
 * until then shards go on answering for the ones before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '../../errors.ts';
import { Peer } from '../../net/peer.ts';
import { noEmptyAnswers } from '../http/metrics.ts';
import type { Settled } from '../http/reply.ts';
import { decodeReads, encodeReads } from '../shards/read-codec.ts';
import { RequestReads } from '../shards/request-reads.ts';
import type { ShardCard } from '../shards/shard-reads.ts';
import { unionFacts } from '../shards/union-facts.ts';
import { UnionReader } from '../shards/union-reader.ts';
import type { UnionFacts } from '../shards/union-reads.ts';
import { Generation, type GenerationOptions } from './generation.ts';
import type { IndexSource } from './index-source.ts';

export const READS_PATH = '/shard/reads';
/** Times that an answer is made, each with more at hand; what takes more goes in circles. */
const MAX_ROUNDS = 256;
/** A server that has too much to do is asked again. */
const ATTEMPTS = 5;
const RETRY_MS = 200;
/** Time that the first of the servers may take to answer. */
const START_MS = 30_000;
const MAX_ANSWER_BYTES = 512 * 2 ** 20;

export interface PeersOptions {
  readonly urls: readonly string[];
  readonly timeLimitMs: number;
}

interface Shard {
  readonly peer: Peer;
  /** Of the generation that it serves now; null before it was heard of. */
  card: ShardCard | null;
  isLost: boolean;
  /** Why it could not be asked at the last look. */
  fault: Error | null;
}

/** Takes notice of shards that are lost, and found again. */
interface PeersLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export class ShardPeers implements IndexSource {
  readonly #shards: readonly Shard[];
  /** In service: by the number of the shard, which peer has it, and its card. */
  #served: readonly (Shard & { readonly card: ShardCard })[] = [];
  #identity = '';
  readonly #log: PeersLog;

  constructor({ urls, timeLimitMs }: PeersOptions, log: PeersLog) {
    const options = { timeLimitMs, maxBytes: MAX_ANSWER_BYTES };
    this.#log = log;
    this.#shards = urls.map((url) => {
      return { peer: new Peer(url, options), card: null, isLost: true, fault: null };
    });
  }

  /** Looks at every process; the name of the state that all of them are in together. */
  async look(): Promise<string> {
    await Promise.all(this.#shards.map((shard) => this.#lookAt(shard)));
    const known = this.#shards.filter((shard): shard is Shard & { card: ShardCard } => shard.card !== null);
    const indexes = new Set(known.map(({ card }) => card.card.shard?.index));
    if (indexes.size !== 1 && this.#served.length > 0) return this.#identity;
    this.#served = known.map((shard) => ({ ...shard, card: shard.card }));
    this.#identity = known.map(({ card }) => card.card.generation).join(' ');
    return this.#identity;
  }

  async #lookAt(shard: Shard): Promise<void> {
    try {
      const { status, text } = await shard.peer.ask('/readyz', null);
      const { generation } = JSON.parse(text) as { generation?: string };
      if (status !== 200 || generation === undefined) throw new Error(`${shard.peer.origin} is not ready`);
      if (shard.card?.card.generation !== generation) {
        shard.card = (await this.#reads(shard.peer, generation, [['describe']]))[0] as ShardCard;
      }
      if (shard.fault !== null) this.#log.info({ shard: shard.peer.origin }, 'a shard answers again');
      shard.isLost = false;
      shard.fault = null;
    } catch (error) {
      if (shard.fault === null) this.#log.error({ shard: shard.peer.origin, err: error }, 'a shard is lost');
      shard.isLost = true;
      shard.fault = error as Error;
    }
  }

  async #reads(peer: Peer, generation: string, reads: readonly (readonly unknown[])[]): Promise<unknown[]> {
    const { status, text } = await peer.ask(READS_PATH, encodeReads({ generation, reads }));
    if (status !== 200) throw new Error(`${peer.origin} answers ${status}: ${text.slice(0, 200)}`);
    return decodeReads(text) as unknown[];
  }

  /** Errors  InputError AKIN_ERR_OPTION where the shards are not those of one index; TransientError where none answers. */
  async open(options: GenerationOptions): Promise<Generation> {
    await this.#somebody();
    const count = this.#served[0]?.card.card.shard?.count ?? this.#shards.length;
    const places = Array.from({ length: count }, (_, number) =>
      this.#served.find(({ card }) => card.card.shard?.number === number),
    );
    const peers = places.map((place) => this.#shards.find(({ peer }) => peer === place?.peer));
    const cards = places.map((place) => place?.card ?? null);
    const { documentWorker: _threads, ...own } = options;
    return new ServedByPeers(peers, cards, unionFacts(cards), own).generation;
  }

  /** Servers that are started together with this one may need a moment. Errors  TransientError AKIN_ERR_SHARDS_LOST. */
  async #somebody(): Promise<void> {
    const endMs = performance.now() + START_MS;
    while (this.#served.length === 0) {
      if (performance.now() > endMs) throw this.#nobody();
      await sleep(RETRY_MS);
      await this.look();
    }
  }

  #nobody(): TransientError {
    const faults = this.#shards.map(({ peer, fault }) => `${peer.origin}: ${fault?.message}`).join('; ');
    return new TransientError('AKIN_ERR_SHARDS_LOST', `no shard can be asked (${faults})`, {
      hint: 'start the servers of the shards, each as: akin serve shard-00000-of-00004.akin',
    });
  }

  lostShards(): readonly number[] {
    const count = this.#served[0]?.card.card.shard?.count ?? 0;
    const found = this.#shards.flatMap(({ isLost, card }) => (isLost ? [] : [card?.card.shard?.number]));
    return Array.from({ length: count }, (_, number) => number).filter((number) => !found.includes(number));
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map(({ peer }) => peer.close()));
  }
}

/** One generation of all shards. */
class ServedByPeers {
  readonly generation: Generation;
  readonly #peers: readonly (Shard | undefined)[];
  readonly #cards: readonly (ShardCard | null)[];
  readonly #facts: UnionFacts;
  readonly #options: GenerationOptions;

  constructor(
    peers: readonly (Shard | undefined)[],
    cards: readonly (ShardCard | null)[],
    facts: UnionFacts,
    options: GenerationOptions,
  ) {
    this.#peers = peers;
    this.#cards = cards;
    this.#facts = facts;
    this.#options = options;
    const settle = <Value>(make: (view: Generation) => Value) => this.#settle(make);
    this.generation = Generation.ofShards(new UnionReader(this.#request(), facts), { ...options, settle });
  }

  #request(): RequestReads {
    const lost = [...this.#cards.keys()].filter((shard) => this.#peers[shard]?.isLost ?? true);
    return new RequestReads(this.#cards, this.#facts.homes, lost, (shard, reads) => this.#ask(shard, reads));
  }

  async #ask(shard: number, reads: readonly (readonly unknown[])[]): Promise<readonly unknown[] | null> {
    const peer = this.#peers[shard];
    const generation = this.#cards[shard]?.card.generation;
    if (peer === undefined || generation === undefined) return null;
    try {
      const body = encodeReads({ generation, reads });
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { status, text } = await peer.peer.ask(READS_PATH, body);
        if (status === 200) return decodeReads(text) as unknown[];
        if (status !== 503) break;
        await sleep(RETRY_MS);
      }
      return null;
    } catch {
      // Not asked again before it was looked at.
      peer.isLost = true;
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
        if ('error' in made) throw made.error;
        for (const reason of Object.keys(emptyAnswers) as (keyof typeof emptyAnswers)[]) {
          this.generation.emptyAnswers[reason] += emptyAnswers[reason];
        }
        return { value: made.value, lost: [...request.missed].sort((a, b) => a - b) };
      }
      await request.fetch();
    }
    throw new Error(`an answer was not whole after ${MAX_ROUNDS} rounds of reads`);
  }
}
