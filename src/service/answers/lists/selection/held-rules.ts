import type { OrLater } from '../../../../lib/or-later.ts';
import type { Reads } from '../../../reads/reads.ts';
import type { HeldRules } from '../../../rules/rules.ts';
import type { RelatedAnswer } from '../../../schemas/answers/list-answers.ts';

/** Whose list it is, as far as rules ask. */
export interface ListPlace {
  /** Canonical; null for a document that has none. */
  readonly url: string | null;
  /** Name of its site; null where it has none. */
  site(): Promise<string | null>;
}

/** The rules for the list of a page or a document; null for none. */
export function heldRules({ facts: { rules } }: Reads, subject: ListPlace): OrLater<HeldRules | null> {
  if (rules.rules.length === 0) return null;
  return subject.site().then((name) => rules.of(subject.url, () => name));
}

/** The rules that hold for a list, nothing where none do. */
export async function rulesShown(reads: Reads, subject: ListPlace): Promise<Pick<RelatedAnswer, 'rules'>> {
  const held = await heldRules(reads, subject);
  if (held === null) return {};
  return { rules: { pin: held.pins.map(({ url }) => url), block: [...held.blocks] } };
}
