/** Holds `extractHtml` against the tree of the standard, page by page; what may differ has a name. */

import assert from 'node:assert/strict';
import { extractHtml } from '../../src/page/extract-html.ts';
import type { ExtractedPage } from '../../src/page/extracted-page.ts';
import { type TwinPage, twinOf } from './parse5-twin.ts';

interface Comparison {
  readonly html: string;
  readonly page: ExtractedPage;
  readonly twin: TwinPage;
}

/** What a single pass may do otherwise than the tree, and how such a page is known. */
const TOLERATED: Record<string, (comparison: Comparison) => boolean> = {
  'a title is cut at 500 characters': ({ page, twin }) =>
    page.title.length > 490 &&
    twin.title.startsWith(page.title) &&
    isSame({ page, twin: { ...twin, title: page.title } }),
  'text beside a frameset is kept': ({ html, twin }) => /<frameset/i.test(html) && twin.words.join('') === '',
  'what stands wrongly in a table stays in place': ({ html, page, twin }) =>
    /<table/i.test(html) &&
    page.title === twin.title &&
    inOrder(page.text.split(/\s/).join('')) === inOrder(twin.words.join('')) &&
    targetsOf(page).sort().join() === twin.targets.toSorted().join(),
  'an anchor without end tag does not reach the next one': ({ html, page, twin }) =>
    (html.match(/<a\s/gi)?.length ?? 0) > (html.match(/<\/a\s*>/gi)?.length ?? 0) && isSame({ page, twin }),
};

/**
 * Compares title, link targets and words; gives the name of the difference, null where there is none, and fails
 * where it has no name. An end tag of a block that was never open may break the line, so a word may come apart
 * that the tree leaves whole; never the other way.
 */
export function differenceFromTree(html: string, url: string): string | null {
  const comparison = { html, page: extractHtml(html, url), twin: twinOf(html, url) };
  const { page, twin } = comparison;
  if (isSame(comparison) && endsInside(twin.words, page.text.split(/\s/))) return null;
  for (const [name, holds] of Object.entries(TOLERATED)) if (holds(comparison)) return name;
  const label = `${url}: ${html.slice(0, 300)}`;
  assert.equal(page.title, twin.title, label);
  assert.deepEqual(targetsOf(page), twin.targets, label);
  assert.deepEqual(page.text.split(/\s/), twin.words, label);
  return null;
}

function isSame({ page, twin }: Pick<Comparison, 'page' | 'twin'>): boolean {
  return (
    page.title === twin.title &&
    targetsOf(page).join('\n') === twin.targets.join('\n') &&
    page.text.split(/\s/).join('') === twin.words.join('')
  );
}

function targetsOf(page: ExtractedPage): string[] {
  return page.links.map((link) => link.target);
}

function inOrder(text: string): string {
  return Array.from(text).sort().join('');
}

/** Whether each word of `words` ends where one of `others` ends, blanks not counted. */
function endsInside(words: readonly string[], others: readonly string[]): boolean {
  const ends = wordEnds(others);
  return [...wordEnds(words)].every((end) => ends.has(end));
}

function wordEnds(words: readonly string[]): Set<number> {
  let length = 0;
  return new Set(words.map((word) => (length += word.length)));
}
