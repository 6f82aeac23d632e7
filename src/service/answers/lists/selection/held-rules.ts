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
export async function heldRules(
  { facts: { rules } }: Reads,
  { url, site }: ListPlace,
): Promise<HeldRules | null> {
  if (rules.rules.length === 0) return null;
  const name = await site();
  return rules.of(url, () => name);
}

/** With `explain`: the rules that hold for a list, nothing where none do. */
export async function rulesShown(
  reads: Reads,
  subject: ListPlace,
  { explain }: { readonly explain: boolean },
): Promise<Pick<RelatedAnswer, 'rules'>> {
  const held = explain ? await heldRules(reads, subject) : null;
  if (held === null) return {};
  return { rules: { pin: held.pins.map(({ url }) => url), block: [...held.blocks] } };
}
