import { DEFAULT_RELATION } from '../../../relations/relations.ts';
import type { Generation } from '../../held/generation.ts';
import { EXAMPLE_CLUSTER, EXAMPLE_PAGES, EXAMPLE_WORDS } from '../../schemas/fields.ts';

/** Pages that are looked at for ones with neighbors: with so many first, so that the example shows a list. */
const MAX_LOOKED_AT = 1000;
const LIST_LENGTH = 10;
const MAX_WORDS = 2;

const known = new WeakMap<Generation, (readonly [from: string, to: string])[]>();

/**
 * What stands in the examples of requests, each with what this index answers: the first pages that were read and have
 * a list of neighbors, words of a title, a cluster.
 */
export function exampleValues(generation: Generation): readonly (readonly [from: string, to: string])[] {
  let values = known.get(generation);
  if (values === undefined) known.set(generation, (values = valuesOf(generation)));
  return values;
}

function valuesOf(generation: Generation): (readonly [string, string])[] {
  const { catalog, reader } = generation;
  const relation = generation.holds(DEFAULT_RELATION.name)
    ? generation.relation(DEFAULT_RELATION.name)
    : generation.card.relations[0]!;
  const ids = { many: [] as number[], few: [] as number[] };
  for (let id = 0; id < Math.min(reader.pageCount, MAX_LOOKED_AT); id++) {
    const { start, end } = catalog.neighbors(relation, id, LIST_LENGTH);
    if (start === end || !catalog.fetched(id) || catalog.successor(id) !== id) continue;
    ids[end - start < LIST_LENGTH ? 'few' : 'many'].push(id);
    if (ids.many.length === EXAMPLE_PAGES.length) break;
  }
  const pages = [...ids.many, ...ids.few].slice(0, EXAMPLE_PAGES.length).map((id) => reader.page(id));
  const values = pages.map(({ url }, i): readonly [string, string] => [EXAMPLE_PAGES[i]!, url]);
  const [first] = pages;
  if (first === undefined) return values;
  const words = first.title
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, MAX_WORDS)
    .join(' ');
  const [cluster] = reader.clusters.ofPage(relation.id, first.id);
  if (words !== undefined) values.push([EXAMPLE_WORDS, words]);
  if (cluster !== undefined) values.push([EXAMPLE_CLUSTER, cluster.key]);
  return values;
}
