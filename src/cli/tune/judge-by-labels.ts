import { familialDistance, type Path } from '../../evaluate/familial-distance.ts';
import { compareList, gamma } from '../../evaluate/gamma.ts';
import { precisionAt } from '../../evaluate/precision.ts';
import type { Labels } from '../../evaluate/relevance.ts';
import { keptIn } from '../../lib/kept.ts';
import { type Separator, toPath } from '../evaluate/judgements.ts';
import { type Judge, K } from './judge.ts';

/** Pages that share a label are related. */
export function judgeByLabels(labels: Labels<number>): Judge {
  return {
    name: 'labels',
    measure: 'precision',
    ...pagesOf(labels),
    scorer: () => precisionBy((a, b) => labels.get(b)?.isDisjointFrom(labels.get(a)!) === false),
    texts: null,
  };
}

/** P@K, by whether two pages are related. */
export function precisionBy(isRelated: (a: number, b: number) => boolean): ReturnType<Judge['scorer']> {
  return (page, list) =>
    precisionAt(
      list.slice(0, K).map((other) => (isRelated(page, other) ? 1 : 0)),
      K,
    );
}

/**
 * Pages are the nearer the nearer their classes are, by familial distance; the score is the Gamma of a page's whole list,
 * all other pages of the sample tied behind it, 0 where no two pages differ in distance.
 *
 * Cost    the distance of each two sets of classes, once.
 * Source  Haveliwala, Gionis, Klein, Indyk, WWW 2002, section 2; there the pages beyond a list are ranked as well.
 */
export function judgeByClasses(labels: Labels<number>, separator: Separator): Judge {
  const keys = new Map([...labels].map(([page, own]) => [page, [...own].sort().join('\n')]));
  const distanceOf = distances(separator);
  return {
    name: 'labels',
    measure: 'gamma',
    ...pagesOf(labels),
    scorer: (sample) => {
      const sizes = new Map<string, number>();
      for (const page of sample) sizes.set(keys.get(page)!, (sizes.get(keys.get(page)!) ?? 0) + 1);
      const totals = new Map<string, number[]>();
      const totalsOf = (key: string) => {
        const known = totals.get(key);
        if (known !== undefined) return known;
        const own: number[] = [];
        for (const [other, size] of sizes) {
          const distance = distanceOf(key, other);
          while (own.length <= distance) own.push(0);
          own[distance]! += size;
        }
        own[distanceOf(key, key)]!--;
        totals.set(key, own);
        return own;
      };
      return (page, list) => {
        const key = keys.get(page)!;
        const found = list.flatMap((other) => {
          const own = keys.get(other);
          return own === undefined ? [] : [distanceOf(key, own)];
        });
        return gamma(compareList(found, totalsOf(key))) || 0;
      };
    },
    texts: null,
  };
}

/** Familial distances of sets of classes, a class a line. */
function distances(separator: Separator): (source: string, page: string) => number {
  const paths = new Map<string, readonly Path[]>();
  const pathsOf = (key: string) =>
    keptIn(paths, key, () => key.split('\n').map((label) => toPath(label, separator)));
  const known = new Map<string, Map<string, number>>();
  return (source, page) => {
    const own = keptIn(known, source, () => new Map());
    return keptIn(own, page, () => familialDistance(pathsOf(source), pathsOf(page)));
  };
}

/** The labelled pages, and those of them that share a label with another one. */
function pagesOf(labels: Labels<number>): Pick<Judge, 'pages' | 'candidates'> {
  const counts = new Map<string, number>();
  for (const own of labels.values()) for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1);
  const candidates = [...labels.keys()].sort((a, b) => a - b);
  const pages = candidates.filter((page) => [...labels.get(page)!].some((label) => counts.get(label)! > 1));
  return { pages, candidates };
}
