/**
 * Shards behind HTTP, each served by a process of its own, as one index.
 *
 * The processes are asked once a second which generation they serve. A shard that does not answer is lost until it does
 * again: answers go on without it and say so. New generations are taken up together, once all shards that answer are of
 * one index; until then shards go on answering for the ones before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { optionFault, TransientError } from '../../errors.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { Peer } from '../../net/peer.ts';
import { isResult } from '../reads/read-checks.ts';
import { decodeReads, encodeReads } from '../reads/read-codec.ts';
import { type Description, READS_PATH } from '../reads/read-table.ts';
import {
  type AskedPeer,
  indexOfPeers,
  lostOf,
  orderOf,
  type PeerPlaces,
  peerAt,
} from '../reads/shards/peers.ts';
import { unionFacts } from '../reads/shards/union-facts.ts';
import { Generation } from './generation.ts';
import { type GenerationOptions, type IndexSource, threadsOf } from './index-source.ts';

/** Of a thread that asks servers. */
const JOBS_AT_A_TIME = 8;
/** Time between two looks at servers that are to come. */
const RETRY_MS = 200;
/** Time that the first of the servers may take to answer. */
const START_MS = 30_000;

export interface PeersOptions {
  readonly urls: readonly string[];
  readonly timeLimitMs: number;
}

interface Shard extends AskedPeer {
  /** Of the generation that it serves now; null before it answered. */
  card: Description | null;
  /** Why it could not be asked at the last look. */
  fault: Error | null;
}

type KnownShard = Shard & { card: Description };

/** Takes notice of shards that are lost, and found again. */
interface PeersLog {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export class ShardPeers implements IndexSource {
  readonly rulesPath = null;
  readonly #shards: readonly Shard[];
  readonly #timeLimitMs: number;
  readonly #log: PeersLog;
  /** That could be in service, with their cards of the last look that found them of one index. */
  #found: readonly { readonly shard: Shard; readonly card: Description }[] = [];
  #identity = '';
  #isClosed = false;
  /** In service. */
  #places: PeerPlaces = [];

  constructor({ urls, timeLimitMs }: PeersOptions, log: PeersLog) {
    this.#log = log;
    this.#shards = urls.map((url) => {
      return { ...peerAt(url, timeLimitMs), card: null, fault: null };
    });
    this.#timeLimitMs = timeLimitMs;
  }

  /** Looks at every process; the name of the state that all of them are in together. */
  async look(): Promise<string> {
    await Promise.all(this.#shards.map((shard) => this.#lookAt(shard)));
    const known = this.#shards.filter((shard): shard is KnownShard => shard.card !== null);
    const answering = known.filter(({ isLost }) => !isLost);
    const [index, ...others] = new Set(answering.map(({ card }) => card.card.shard!.index));
    const isOne = index !== undefined && others.length === 0;
    if (!isOne && this.#found.length > 0) return this.#identity;
    // Of a shard that is lost, and was of another index, nothing is known.
    const found = isOne ? known.filter(({ card }) => card.card.shard!.index === index) : known;
    this.#found = found.map((shard) => ({ shard, card: shard.card }));
    this.#identity = found.map(({ peer, card }) => `${peer.origin} ${card.card.generation}`).join(' ');
    return this.#identity;
  }

  async #lookAt(shard: Shard): Promise<void> {
    try {
      const { status, text } = await shard.peer.ask('/readyz', null);
      if (status !== 200) throw new Error(`${shard.peer.origin} is not ready (${status})`);
      const { generation } = JSON.parse(text) as { generation?: unknown };
      if (shard.card?.card.generation !== generation) shard.card = await cardOf(shard.peer, generation);
      // It may have been given the last file again.
      if (shard.past === generation) shard.past = null;
      if (shard.fault !== null) this.#log.info({ shard: shard.peer.origin }, 'a shard answers again');
      shard.isLost = false;
      shard.fault = null;
    } catch (error) {
      if (this.#isClosed) return;
      if (shard.fault === null) this.#log.error({ shard: shard.peer.origin, err: error }, 'a shard is lost');
      shard.isLost = true;
      shard.fault = error as Error;
    }
  }

  /** Errors  InputError AKIN_ERR_OPTION where the shards are not those of one index; TransientError where none answers. */
  async open(options: GenerationOptions): Promise<Generation> {
    await this.#somebody();
    const { count } = this.#found[0]!.card.card.shard!;
    this.#requireEachOnce(count);
    const found = Array.from({ length: count }, (_, number) =>
      this.#found.find(({ card }) => card.card.shard!.number === number),
    );
    const cards = found.map((one) => one?.card ?? null);
    const facts = unionFacts(cards);
    this.#places = found.map((one) =>
      one === undefined ? null : { asked: one.shard, generation: one.card.card.generation },
    );
    const places = this.#places;
    const index = indexOfPeers(places, facts);
    const { exactSearchUs, emptyAnswers } = options;
    const order = () => ({
      paths: [],
      peers: orderOf(places, facts, this.#timeLimitMs),
      generation: index.facts.id,
      rules: index.facts.rules.change,
      ...(exactSearchUs !== undefined && { exactSearchUs }),
    });
    return new Generation(index, {
      threads: threadsOf(order, options, JOBS_AT_A_TIME),
      lostNow: () => lostOf(places),
      ...(emptyAnswers && { emptyAnswers }),
    });
  }

  #requireEachOnce(count: number): void {
    const hint = 'give the servers of all shards of one index, each once';
    const [first, ...others] = this.#found;
    const stray = others.find(({ card }) => card.card.shard!.index !== first!.card.card.shard!.index);
    if (stray !== undefined) {
      const both = `${stray.shard.peer.origin} serves a shard of another index than ${first!.shard.peer.origin}`;
      throw optionFault(both, hint);
    }
    const numbers = new Map<number, Shard>();
    for (const { shard, card } of this.#found) {
      const { number } = card.card.shard!;
      const other = numbers.get(number);
      numbers.set(number, shard);
      if (other === undefined) continue;
      const both = `${other.peer.origin} and ${shard.peer.origin}`;
      throw optionFault(`${both} both serve shard ${number}`, hint);
    }
    const { length } = this.#shards;
    if (length === count) return;
    throw optionFault(`the index has ${count} shards; ${length} servers are given`, hint);
  }

  /** Servers that are started together with this one may need a moment. Errors  TransientError AKIN_ERR_SHARDS_LOST. */
  async #somebody(): Promise<void> {
    const endMs = performance.now() + START_MS;
    while (this.#found.length === 0) {
      if (performance.now() > endMs) throw this.#noAnswer();
      await sleep(RETRY_MS);
      await this.look();
    }
  }

  #noAnswer(): TransientError {
    const faults = this.#shards.map(({ peer, fault }) => `${peer.origin}: ${fault?.message}`).join('; ');
    return new TransientError('AKIN_ERR_SHARDS_LOST', `no shard can be asked (${faults})`, {
      hint: 'start the servers of the shards, each as: akin serve shard-00000-of-00004.akin',
    });
  }

  lostShards(): readonly number[] {
    return lostOf(this.#places);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#shards.map(({ peer }) => peer.close()));
  }
}

async function cardOf(peer: Peer, generation: unknown): Promise<Description> {
  const asked = encodeReads({ generation, reads: [['describe']] });
  const { status, text } = await peer.ask(READS_PATH, asked);
  if (status !== 200) throw new Error(`${peer.origin} answers ${status}: ${cutText(text, 200)}`);
  const values = decodeReads(text);
  const card: unknown = Array.isArray(values) ? values[0] : null;
  if (isResult('describe', card)) return card as Description;
  throw new Error(`${peer.origin} is no server of a shard, or one of another version of akin`);
}
