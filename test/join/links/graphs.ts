/** Link graphs for tests, from lists of targets. */
import { type LinkGraph, LinkGraphBuilder } from '../../../src/join/links/link-graph.ts';
import { Random } from '../../../src/lib/random.ts';

/** `targets[p]`: what page p links to, ascending. */
export function graphOf(targets: readonly (readonly number[])[]): LinkGraph {
  const builder = new LinkGraphBuilder(targets.length);
  for (const [page, row] of targets.entries()) if (row.length > 0) builder.add(page, Uint32Array.from(row));
  return builder.graph();
}

/** The same from `0>2 1>2`. */
export function graphFrom(pageCount: number, links: string): LinkGraph {
  const targets = Array.from({ length: pageCount }, (): number[] => []);
  for (const link of links.split(' ')) {
    const [from, to] = link.split('>').map(Number);
    targets[from!]!.push(to!);
  }
  return graphOf(targets.map((row) => row.sort((a, b) => a - b)));
}

/** Some pages are linked to far more than others. */
export function randomTargets(pageCount: number, most: number, seed: number): number[][] {
  const random = new Random(seed);
  return Array.from({ length: pageCount }, (_, page) => {
    const row = new Set<number>();
    for (let left = random.below(most + 1); left > 0; left--) {
      row.add(Math.min(random.below(pageCount), random.below(pageCount)));
    }
    row.delete(page);
    return [...row].sort((a, b) => a - b);
  });
}
