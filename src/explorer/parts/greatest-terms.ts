import type { SharedTermAnswer } from '../../service/schemas/answers/term-answers.ts';

export type Term = Pick<SharedTermAnswer, 'term' | 'share'>;

/** By their shares, the greatest first; those of several parts once. */
export function greatestTerms(terms: readonly Term[], limit: number): [term: string, share: number][] {
  const shown = new Map<string, number>();
  for (const { term, share } of terms) shown.set(term, (shown.get(term) ?? 0) + share);
  return [...shown].sort((one, other) => other[1] - one[1]).slice(0, limit);
}
