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
export function heldRules(reads: Reads, { url, site }: ListPlace): OrLater<HeldRules | null> {
  const { rules } = reads.facts;
  if (rules.rules.length === 0) return null;
  const urls = url !== null && rules.pageUrls.length > 0 ? urlsOf(reads, url) : [];
  return Promise.all([urls, site()]).then(([all, name]) => rules.of(all, () => name));
}

/** All that lead to the page of a URL, whichever of them a rule names. */
async function urlsOf(reads: Reads, url: string): Promise<string[]> {
  const found = await reads.idOf(url);
  if (found < 0) return [url];
  const pageId = await reads.successor(found);
  const [page, aliases] = await Promise.all([reads.page(pageId), reads.aliases(pageId)]);
  return [url, page.url, ...aliases.map((alias) => alias.url)];
}

/** The rules that hold for a list, nothing where none do. */
export async function rulesShown(reads: Reads, subject: ListPlace): Promise<Pick<RelatedAnswer, 'rules'>> {
  const held = await heldRules(reads, subject);
  if (held === null) return {};
  return { rules: { pin: held.pins.map(({ url }) => url), block: [...held.blocks] } };
}
