import { createHash } from 'node:crypto';
import { type InputError, optionFault } from '../../../errors.ts';
import { summed } from '../../../lib/summed.ts';
import type { CopyClusteringRecord, FieldRecord, IndexCard, SweepRecord } from '../../../store/records.ts';
import type { FactsRecord } from '../facts.ts';
import { sum } from '../merge.ts';
import type { Description } from '../read-table.ts';

/** What several shards are together. */
export interface UnionFacts extends FactsRecord {
  /** The shard of each page; 255 where it is not known. */
  readonly homes: Uint8Array;
  /** Before the versions of each shard, how many others have; the last is all. */
  readonly versionStarts: readonly number[];
}

/** In `homes`, of a page that no known shard has. */
const NO_HOME = 255;

/**
 * What several shards are together: counts are sums, and the generation names those of all shards.
 *
 * Shape   cards by the number of the shard; null for one of which nothing is known.
 * Errors  InputError AKIN_ERR_OPTION where they are not the shards of one index, or none is known.
 * Memory  a byte a page.
 */
export function unionFacts(cards: readonly (Description | null)[]): UnionFacts {
  const known = cards.filter((card) => card !== null);
  const [first] = known;
  if (first === undefined) throw refusal('no shard can be asked');
  const { index, count, pageCount } = first.card.shard!;
  for (const { card } of known) {
    const { shard } = card;
    if (shard?.index !== index || shard.count !== count || shard.pageCount !== pageCount) {
      throw refusal(`the shards are of two indexes, ${index} and ${shard?.index}`);
    }
  }
  if (cards.length !== count) throw refusal(`the index has ${count} shards; ${cards.length} are given`);
  const homes = new Uint8Array(pageCount).fill(NO_HOME);
  for (const [shard, card] of cards.entries()) for (const page of card?.wholeIds ?? []) homes[page] = shard;
  const versionStarts = [0];
  for (const card of cards) versionStarts.push(versionStarts.at(-1)! + (card?.versionCount ?? 0));
  return {
    card: unionCard(
      cards,
      known.map(({ card }) => card),
    ),
    sweeps: first.sweeps.map((sweep, i) => ({
      ...sweep,
      recordCount: sum(known, (one) => one.sweeps[i]!.recordCount),
    })),
    pageCount,
    ownPageCount: pageCount,
    shard: null,
    homes,
    versionCount: versionStarts.at(-1)!,
    hasLinks: known.some(({ hasLinks }) => hasLinks),
    hasSearch: known.some(({ hasSearch }) => hasSearch),
    versionStarts,
  };
}

function unionCard(cards: readonly (Description | null)[], known: readonly IndexCard[]): IndexCard {
  const [first] = known as [IndexCard];
  const { shard, ...parameters } = first.parameters as { shard: unknown };
  const gonePageCount = sum(known, (card) => card.gonePageCount);
  return {
    ...first,
    generation: generationOf(cards),
    builtAtMs: Math.max(...known.map(({ builtAtMs }) => builtAtMs)),
    shard: null,
    pageCount: sum(cards, (one) => one?.wholeIds.length ?? 0) - gonePageCount,
    fetchedPageCount: sum(known, (card) => card.fetchedPageCount),
    gonePageCount,
    aliasCount: sum(known, (card) => card.aliasCount),
    clusterCount: sum(known, (card) => card.clusterCount),
    sizeBytes: sum(known, (card) => card.sizeBytes),
    copyClusterings: first.copyClusterings.map((one, level) => clusteringOf(one, level, known)),
    sweeps: first.sweeps.map((sweep, i) => sweepOf(sweep, i, known)),
    fields: fieldsOf(known),
    parameters,
  };
}

/** One name for the state of all shards: 16 hex digits. */
function generationOf(cards: readonly (Description | null)[]): string {
  const all = cards.map((card) => card?.card.generation ?? '').join(' ');
  return createHash('sha256').update(all).digest('hex').slice(0, 16);
}

function clusteringOf(
  one: CopyClusteringRecord,
  level: number,
  cards: readonly IndexCard[],
): CopyClusteringRecord {
  return {
    ...one,
    clusterCount: sum(cards, ({ copyClusterings }) => copyClusterings[level]!.clusterCount),
    pageCount: sum(cards, ({ copyClusterings }) => copyClusterings[level]!.pageCount),
  };
}

function sweepOf(sweep: SweepRecord, i: number, cards: readonly IndexCard[]): SweepRecord {
  return {
    ...sweep,
    recordCount: sum(cards, ({ sweeps }) => sweeps[i]!.recordCount),
    skipped: summed(cards.map(({ sweeps }) => sweeps[i]!.skipped)),
    skippedFiles: summed(cards.map(({ sweeps }) => sweeps[i]!.skippedFiles)),
  };
}

/** Of fields the pages of all shards; what is declared is the same in each. */
function fieldsOf(cards: readonly IndexCard[]): FieldRecord[] {
  const fields = new Map<string, FieldRecord>();
  for (const field of cards.flatMap((card) => card.fields)) {
    const pageCount = field.pageCount + (fields.get(field.name)?.pageCount ?? 0);
    fields.set(field.name, { ...field, pageCount });
  }
  return [...fields.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function refusal(message: string): InputError {
  return optionFault(message, 'give all shards of one index, each once');
}
