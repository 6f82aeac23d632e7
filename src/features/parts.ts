/**
 * Of which parts a page's set is made, and how much of its weight each gets.
 *
 *   content   words of the text                 anchor   words around links to the page
 *   title     words of the title                out, in  pages that it links to, and that link to it
 *   heading   words of h2 to h6
 *   bigram    pairs of neighboring words of the text
 *
 *   content=.72,title=.05,anchor=.13,...        shares: they sum to 1
 *
 * A part that no page of a collection has leaves its share to the others, in proportion; a page that lacks a part which
 * other pages have has a smaller sum. Features of different parts never match each other.
 */

/** The parts that a page has by itself. */
export const PARTS = ['content', 'title', 'heading', 'bigram', 'anchor', 'out', 'in'] as const;

/** One of these, or the name of a group of features of one's own. */
export type Part = string;

/** Share of the weight by part, in the order of `inOrder`. */
export type PartShares = Readonly<Record<Part, number>>;

/** What `parseParts` takes, for people. */
export const PARTS_FORM = `NAME=SHARE,... with each of ${PARTS.join(', ')} or groups of features of your own once at most, shares above 0`;
/** What a group of features may be called, for people. */
export const GROUP_FORM = `1 to 32 of a-z, 0-9, _ and -, a letter first, and none of ${PARTS.join(', ')}, constructor`;

const MAX_PARTS = 16;
/** What is kept by part are plain objects, which have a `constructor` of their own. */
const NAME = /^(?!constructor$)[a-z][a-z0-9_-]{0,31}$/;
const SHARE = /^(\d{1,9}(\.\d*)?|\.\d+)$/;
const IN_ORDER: readonly string[] = PARTS;
/** Shares whose sum is as near to 1 as decimals are stay as they are. */
const TOLERANCE = 1e-4;
const DIGITS = 1e6;

/** Whether the features of a part are pages, known by their URLs. */
export function isOfLinks(part: string): part is 'out' | 'in' {
  return part === 'out' || part === 'in';
}

/** Whether a part is what others say of a page, which its own text does not tell. */
export function isByOthers(part: string): boolean {
  return part === 'anchor' || part === 'in';
}

/** Whether a name is that of a group of features of one's own. */
export function isGroup(name: string): boolean {
  return NAME.test(name) && !IN_ORDER.includes(name);
}

/** Whether the features of a part are words: of the page, or of those that link to it. */
export function isOfWords(part: Part): boolean {
  return kindOf(part) === 'words';
}

/** What the features of a part are: pages, pairs of words, names of one's own, or words. */
export function kindOf(part: Part): 'links' | 'pairs' | 'group' | 'words' {
  if (isOfLinks(part)) return 'links';
  if (isOfPairs(part)) return 'pairs';
  return isGroup(part) ? 'group' : 'words';
}

/** Whether the features of a part are pairs of words. */
export function isOfPairs(part: Part): part is 'bigram' {
  return part === 'bigram';
}

/** Names of parts in the one order in which they are weighed and numbered: groups behind the others, by name. */
export function inOrder(parts: readonly Part[]): Part[] {
  const place = (part: Part) => IN_ORDER.indexOf(part) >>> 0;
  return [...parts].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** The parts that have a share, in order. */
export function partNames(shares: PartShares): Part[] {
  return inOrder(Object.keys(shares).filter((part) => shares[part]! > 0));
}

/** What of a page is counted besides its text and title, where some part is made of it. */
export interface CountedParts {
  /** Whether links are credited to their targets; pages known by links alone have these parts too. */
  readonly links: boolean;
  readonly headings: boolean;
  readonly bigrams: boolean;
}

/** What a part is made of besides text and title, or null. */
export function madeOf(part: Part): keyof CountedParts | null {
  if (part === 'heading') return 'headings';
  if (isOfPairs(part)) return 'bigrams';
  return part === 'anchor' || isOfLinks(part) ? 'links' : null;
}

export function countedParts(shares: PartShares): CountedParts {
  const counted = new Set(partNames(shares).map(madeOf));
  return { links: counted.has('links'), headings: counted.has('headings'), bigrams: counted.has('bigrams') };
}

/** `content=4,title=1` as shares that sum to 1; a name alone has the share 1. Undefined where it is no such text. */
export function parseParts(text: string): PartShares | undefined {
  const shares = new Map<Part, number>();
  for (const written of text.split(',')) {
    const [part = '', share = '1', ...rest] = written.trim().split('=');
    const isFormed = NAME.test(part) && SHARE.test(share) && rest.length === 0;
    if (!isFormed || shares.has(part) || Number(share) === 0 || shares.size === MAX_PARTS) return undefined;
    shares.set(part, Number(share));
  }
  return scaled(Object.fromEntries(shares));
}

/** The text that `parseParts` reads as these shares. */
export function formatParts(shares: PartShares): string {
  return partNames(shares)
    .map((part) => `${part}=${shares[part]}`)
    .join(',');
}

/** The shares where `isEmpty` parts leave theirs to the others; as they are where all or none are empty. */
export function usedShares(shares: PartShares, isEmpty: (part: Part) => boolean): PartShares {
  const used = partNames(shares).filter((part) => !isEmpty(part));
  if (used.length === 0) return shares;
  return scaled(Object.fromEntries(used.map((part) => [part, shares[part]!])));
}

/** Shares in proportion, with six decimals, in the order of parts. */
function scaled(shares: PartShares): PartShares {
  const names = partNames(shares);
  const sum = names.reduce((total, part) => total + shares[part]!, 0);
  const isScaled = Math.abs(sum - 1) < TOLERANCE;
  return Object.fromEntries(
    names.map((part) => [
      part,
      isScaled ? shares[part]! : Math.round((shares[part]! / sum) * DIGITS) / DIGITS,
    ]),
  );
}
