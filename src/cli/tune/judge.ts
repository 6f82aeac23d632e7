/**
 * Who says what is related, where `akin tune` compares settings: labels of pages, or what the collection itself offers.
 *
 *   labels     pages that share one; or by how near their classes are, where labels are paths of classes
 *   links      pages that are cited together by pages whose own links are held out of everything else
 *   sections   pages of the same folder of the same host, by their URLs
 *   sweeps     the text of a page in an earlier sweep is to find the page as it is now, or where it moved to
 */
import type { LooseText } from '../../indexer/tune/count-pages.ts';

export const OWN_JUDGES = ['links', 'sections', 'sweeps'] as const;
export type OwnJudgeName = (typeof OWN_JUDGES)[number];
export type JudgeName = OwnJudgeName | 'labels';

/** Pages of each list that are judged, where a judge does not look at all of them. */
export const K = 10;

/** A judge of fewer pages than this says little: where two or three of a half gain alike, no doubt is left by chance. */
export const LEAST_PAGES = 50;

/** What a score is, and how reports call it. */
export const MEASURES = {
  precision: `P@${K}`,
  'reciprocal rank': 'reciprocal rank',
  gamma: 'Gamma',
} as const;
export type Measure = keyof typeof MEASURES;

export interface Judge {
  readonly name: JudgeName;
  readonly measure: Measure;
  /** Pages that have a right answer, ascending. */
  readonly pages: readonly number[];
  /** Pages that it can tell whether they are right, ascending: those, and others. */
  readonly candidates: readonly number[];
  /**
   * The scorer for a sample of the candidates: how good a list for a page is, from -1 or 0 to 1; the best page comes
   * first. Lists hold other pages too, which are not right.
   */
  readonly scorer: (sample: readonly number[]) => (page: number, list: readonly number[]) => number;
  /** By page, the text that asks in its place; null where the pages themselves ask. */
  readonly texts: ReadonlyMap<number, LooseText> | null;
}

/** The folder that a URL lies in. */
export function folderOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0]!;
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** What shares are judged by. */
export const OBJECTIVES = ['precision', 'gamma'] as const;
export type Objective = (typeof OBJECTIVES)[number];
