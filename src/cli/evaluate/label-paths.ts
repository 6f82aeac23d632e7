import type { Path } from '../../evaluate/familial-distance.ts';
import type { Labels } from '../../evaluate/relevance.ts';

export const SEPARATORS = ['/', '.'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The separator that more than half of the labels hold, `/` before `.`; null where labels are no paths. */
export function findSeparator(labels: Labels<number>): Separator | null {
  const names = new Set([...labels.values()].flatMap((own) => [...own]));
  const holders = (separator: Separator) => [...names].filter((name) => name.includes(separator)).length;
  return SEPARATORS.find((separator) => 2 * holders(separator) > names.size) ?? null;
}

/** `Science/Biology/Birds` as its steps; empty steps (a leading separator) are dropped. */
export function toPath(label: string, separator: Separator): Path {
  return label.split(separator).filter((step) => step !== '');
}
