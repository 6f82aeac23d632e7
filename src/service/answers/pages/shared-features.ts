import type { OwnFeatures } from '../../../features/own-features.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { SharedTermAnswer } from '../../schemas/answers/term-answers.ts';

/** Features that an answer names. */
const SHOWN_FEATURES = 10;

/** The features that owners gave both, those of the greatest shares of what they have in common first. */
export function sharedFeatures(a: OwnFeatures, b: OwnFeatures): SharedTermAnswer[] {
  const shared: { term: string; part: string; weight: number }[] = [];
  for (const [part, features] of Object.entries(a)) {
    for (const [term, weight] of Object.entries(features)) {
      const other = Object.hasOwn(b, part) && Object.hasOwn(b[part]!, term) ? b[part]![term]! : 0;
      if (other > 0) shared.push({ term, part, weight: Math.min(weight, other) });
    }
  }
  const sum = shared.reduce((all, { weight }) => all + weight, 0);
  return shared
    .sort((x, y) => y.weight - x.weight)
    .slice(0, SHOWN_FEATURES)
    .map(({ term, part, weight }) => ({ term, part, share: sixDecimals(weight / sum) }));
}
