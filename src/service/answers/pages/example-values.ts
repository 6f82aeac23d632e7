import { DEFAULT_RELATION } from '../../../relations/relations.ts';
import { ahead } from '../../reads/ahead.ts';
import type { Reads } from '../../reads/reads.ts';
import { EXAMPLE_CLUSTER, EXAMPLE_PAGES, EXAMPLE_WORDS } from '../../schemas/fields.ts';

/** Pages that are looked at for ones with neighbors: with so many first, so that the example shows a list. */
const MAX_LOOKED_AT = 1000;
const LIST_LENGTH = 10;
const MAX_WORDS = 2;

/** Of a value, about. */
const VALUE_BYTES = 300;

type Values = readonly (readonly [from: string, to: string])[];

/**
 * What stands in the examples of requests, each with what this index answers: the first pages that were read and have
 * a list of neighbors, words of a title, a cluster.
 */
export function exampleValues(reads: Reads): Promise<Values> {
  return reads.found.by(
    'example values',
    reads,
    ({ length }) => length * VALUE_BYTES,
    () => valuesOf(reads),
  );
}

async function valuesOf(reads: Reads): Promise<Values> {
  const { facts } = reads;
  const relation = facts.holds(DEFAULT_RELATION.name)
    ? facts.relation(DEFAULT_RELATION.name)
    : facts.card.relations[0]!;
  const ids = { many: [] as number[], few: [] as number[] };
  const pageIds = Array.from({ length: Math.min(facts.pageCount, MAX_LOOKED_AT) }, (_, id) => id);
  const look = (id: number) =>
    Promise.all([
      reads.neighbors(relation.id, id, LIST_LENGTH),
      reads.heads([id]),
      reads.successor(id),
    ] as const);
  for await (const [id, [list, [head], successor]] of ahead(reads, pageIds, look)) {
    if (list.ids.length === 0 || !head!.fetched || successor !== id) continue;
    ids[list.ids.length < LIST_LENGTH ? 'few' : 'many'].push(id);
    if (ids.many.length === EXAMPLE_PAGES.length) break;
  }
  const shown = [...ids.many, ...ids.few].slice(0, EXAMPLE_PAGES.length);
  const pages = await Promise.all(shown.map((id) => reads.page(id)));
  const values = pages.map(({ url }, i): readonly [string, string] => [EXAMPLE_PAGES[i]!, url]);
  const [first] = pages;
  if (first === undefined) return values;
  const words = first.title
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, MAX_WORDS)
    .join(' ');
  const [cluster] = await reads.clusters(relation.id, first.id);
  if (words !== undefined) values.push([EXAMPLE_WORDS, words]);
  if (cluster !== undefined) values.push([EXAMPLE_CLUSTER, cluster.key]);
  return values;
}
