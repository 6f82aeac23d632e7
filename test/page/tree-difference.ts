/** Holds `extractHtml` against the tree of the standard, page by page; what may differ has a name. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { extractHtml } from '../../src/page/extract-html.ts';
import type { ExtractedPage } from '../../src/page/extracted-page.ts';
import { BLOCK, KIND } from '../../src/page/html/element-bits.ts';
import { elementOf } from '../../src/page/html/elements.ts';
import { type TwinLink, type TwinPage, twinOf, wordsOf } from './parse5-twin.ts';

interface Said {
  readonly title: string;
  readonly words: readonly string[];
  readonly links: readonly Pick<TwinLink, 'target' | 'words'>[];
}

interface Comparison {
  readonly html: string;
  readonly url: string;
  /** What the page says, in words. */
  readonly page: Said;
  readonly lines: readonly string[];
  readonly twin: TwinPage;
}

export const IN_TABLE = 'what stands wrongly in a table stays in place';
export const TABLE_LINK = 'a link that reaches out of its cell holds what stands in place';
export const CUT_TITLE = 'a title is cut at 500 characters';
export const FRAMESET = 'text beside a frameset is kept';
export const OPEN_ANCHOR = 'an anchor without end tag does not reach the next one';
export const DROPPED_TAG = 'a tag of a block that the tree drops breaks the line';
export const NUL = 'a NUL parts words';

/** What a single pass may do otherwise than the tree, and how such a page is known. */
const TOLERATED: Record<string, (comparison: Comparison) => boolean> = {
  [CUT_TITLE]: ({ page, twin }) =>
    page.title.length > 490 &&
    twin.title.startsWith(page.title) &&
    isDeepStrictEqual(page, saidOf({ ...twin, title: page.title })),
  [FRAMESET]: ({ html, twin }) => /<frameset/i.test(html) && twin.words.join('') === '',
  [IN_TABLE]: ({ html, page, twin }) =>
    /<table/i.test(html) &&
    page.title === twin.title &&
    isSameBag(page.words, twin.words) &&
    isSameBag(page.links.map(linkText), twin.links.map(linkText)),
  [OPEN_ANCHOR]: ({ page, twin }) =>
    page.title === twin.title &&
    page.words.join('') === twin.words.join('') &&
    page.links.map(targetOf).join() === twin.links.map(targetOf).join() &&
    page.links.every(
      ({ words }, i) => !twin.links[i]!.hasEndTag || isDeepStrictEqual(words, twin.links[i]!.words),
    ) &&
    twin.links.some(({ hasEndTag }) => !hasEndTag),
  [DROPPED_TAG]: ({ html, page, lines, twin }) => {
    const extra = extraEnds(page.words, twin.words);
    return (
      page.title === twin.title &&
      page.links.map(letters).join('\n') === twin.links.map(letters).join('\n') &&
      extra !== null &&
      extra.size <= blockTags(html) - twin.blockTagCount &&
      extra.isSubsetOf(ends(lines))
    );
  },
  [NUL]: ({ html, page, url }) =>
    html.includes('\0') && isDeepStrictEqual(page, saidOf(twinOf(html.replaceAll('\0', ' '), url))),
  [TABLE_LINK]: ({ html, page, twin }) =>
    /<table/i.test(html) &&
    page.title === twin.title &&
    isSameBag(page.words, twin.words) &&
    isSameBag(page.links.map(targetOf), twin.links.map(targetOf)),
};

/**
 * Compares title, words, and the target and the words of each link; gives the name of the difference, null where
 * there is none, and fails where it has no name.
 */
export function differenceFromTree(html: string, url: string): string | null {
  const extracted = extractHtml(html, url);
  const page = pageOf(extracted);
  const twin = twinOf(html, url);
  if (isDeepStrictEqual(page, saidOf(twin))) return null;
  const comparison = { html, url, page, lines: extracted.text.split('\n'), twin };
  for (const [name, holds] of Object.entries(TOLERATED)) if (holds(comparison)) return name;
  assert.deepEqual(page, saidOf(twin), `${url}: ${html.slice(0, 300)}`);
  return null;
}

function pageOf({ title, text, links }: ExtractedPage): Said {
  return {
    title,
    words: text.split(/\s/),
    links: links().kept.map(({ target, start, end }) => ({ target, words: wordsOf(text.slice(start, end)) })),
  };
}

function saidOf({ title, words, links }: TwinPage): Said {
  return { title, words, links: links.map(({ target, words }) => ({ target, words })) };
}

function targetOf({ target }: Said['links'][number]): string {
  return target;
}

function linkText({ target, words }: Said['links'][number]): string {
  return `${target} ${words.join(' ')}`;
}

/** A link without the blanks of its text. */
function letters({ target, words }: Said['links'][number]): string {
  return `${target} ${words.join('')}`;
}

function isSameBag(some: readonly string[], others: readonly string[]): boolean {
  return isDeepStrictEqual(some.toSorted(), others.toSorted());
}

function blockTags(html: string): number {
  const names = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name!.toLowerCase());
  return names.filter((name) => (elementOf(name) & KIND) === BLOCK).length;
}

/** Where words end in `words` and not in `others`, in letters; null where they differ in more than that. */
function extraEnds(words: readonly string[], others: readonly string[]): Set<number> | null {
  const [mine, theirs] = [ends(words), ends(others)];
  return words.join('') === others.join('') && theirs.isSubsetOf(mine) ? mine.difference(theirs) : null;
}

/** Where each part ends, in letters from the start of the page. */
function ends(parts: readonly string[]): Set<number> {
  let length = 0;
  return new Set(parts.map((part) => (length += part.replaceAll(/\s/g, '').length)));
}
