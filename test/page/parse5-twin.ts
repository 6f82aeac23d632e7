/** What a page says, read slowly from the tree that the HTML standard builds: the judge of `extractHtml`. */

import { type DefaultTreeAdapterMap, html as ns, parse } from 'parse5';
import { BLOCK, KIND, SILENT, SPACED } from '../../src/page/html/element-bits.ts';
import { elementOf } from '../../src/page/html/elements.ts';
import { canonicalUrl, MAX_URL_LENGTH } from '../../src/url/canonical-url.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

export interface TwinLink {
  readonly target: string;
  readonly words: string[];
  /** False where the tree had to end it by itself. */
  readonly hasEndTag: boolean;
}

export interface TwinPage {
  readonly title: string;
  readonly links: TwinLink[];
  readonly words: string[];
  /** Tags of blocks that begin or end an element; the tree drops the rest. */
  readonly blockTagCount: number;
}

const ANCHOR_BEGINS = '\u0001';
const ANCHOR_ENDS = '\u0002';
/** Wrong nesting makes the tree repeat one start tag as several elements: those behind the first. */
const ANCHOR_GOES_ON = '\u0003';
const MARKS = new RegExp(`([${ANCHOR_BEGINS}${ANCHOR_ENDS}${ANCHOR_GOES_ON}])`, 'g');

export function twinOf(html: string, url: string): TwinPage {
  const parts: string[] = [];
  const titles: string[] = [];
  const anchors: { href: string; hasEndTag: boolean }[] = [];
  const bases: string[] = [];
  const seen = new Set<number>();
  let blockTagCount = 0;
  // Leaving a node is a string on the stack: deep trees must not overflow.
  const stack: (Node | string)[] = [parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: true })];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (typeof node === 'string') {
      parts.push(node);
      continue;
    }
    if ('value' in node && node.nodeName === '#text') parts.push(node.value.replaceAll(MARKS, ' '));
    if (!('childNodes' in node)) continue;
    let after = '';
    if ('tagName' in node) {
      const { tagName } = node;
      if (tagName === 'title' && node.namespaceURI === ns.NS.HTML) {
        titles.push(tidy(node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')));
        continue;
      }
      const kind = elementOf(tagName) & KIND;
      // A declarative shadow tree is shown, before what its host holds besides.
      if ('content' in node && /^(open|closed)$/i.test(attribute(node, 'shadowrootmode')[0] ?? '')) {
        stack.push(' ', ...node.content.childNodes.toReversed(), ' ');
        continue;
      }
      if (kind === SILENT) continue;
      if (tagName === 'base') bases.push(...attribute(node, 'href'));
      if (tagName === 'img') parts.push(' ', ...attribute(node, 'alt'), ' ');
      if (kind === SPACED) parts.push(' ');
      if (kind === BLOCK) {
        parts.push('\n');
        after = '\n';
        const { startTag, endTag } = node.sourceCodeLocation ?? {};
        blockTagCount += Number(startTag !== undefined) + Number(endTag !== undefined);
      }
      if (tagName === 'frame') {
        for (const href of attribute(node, 'src')) {
          anchors.push({ href, hasEndTag: true });
          parts.push(ANCHOR_BEGINS, ANCHOR_ENDS);
        }
      }
      if (tagName === 'a' || tagName === 'area') {
        const href = attribute(node, 'href');
        const offset = node.sourceCodeLocation?.startOffset ?? -1;
        const isNew = offset >= 0 && !seen.has(offset);
        if (href.length > 0) {
          const hasEndTag = node.sourceCodeLocation?.endTag !== undefined;
          if (isNew) anchors.push({ href: href[0]!, hasEndTag });
          else if (hasEndTag) anchors.at(-1)!.hasEndTag = true;
          if (tagName === 'area') parts.push(' ');
          parts.push(isNew ? ANCHOR_BEGINS : ANCHOR_GOES_ON);
          if (tagName === 'area') parts.push(...attribute(node, 'alt'), ANCHOR_ENDS, ' ');
          else after = ANCHOR_ENDS;
        }
        seen.add(offset);
      }
    }
    stack.push(after);
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
  const named = bases.length > 0 ? URL.parse(bases[0]!, url) : null;
  const base = named?.protocol.startsWith('http') ? named.href : url;
  const marked = parts.join('');
  const texts = anchorTexts(marked);
  const links = anchors
    .map(({ href, hasEndTag }, i) => {
      const target = isTooLong(href) ? null : URL.parse(href, base);
      return { target, words: texts[i]!, hasEndTag };
    })
    .filter(({ target }) => /^https?:$/.test(target?.protocol ?? '') && !isTooLong(target!.href))
    .map((link) => ({ ...link, target: canonicalUrl(link.target!.href) ?? '' }))
    .filter(({ target }) => target !== '');
  const text = marked.replaceAll(ANCHOR_ENDS + ANCHOR_BEGINS, ' ').replaceAll(MARKS, '');
  return { title: titles.find((title) => title !== '') ?? '', links, words: wordsOf(text), blockTagCount };
}

/** Links are dropped where they are longer before their fragments than a URL may be. */
function isTooLong(url: string): boolean {
  return url.split('#', 1)[0]!.length > MAX_URL_LENGTH;
}

/** The words in each anchor, in document order. */
function anchorTexts(marked: string): string[][] {
  const texts: string[] = [];
  let depth = 0;
  for (const part of marked.split(MARKS)) {
    if (part === ANCHOR_BEGINS) texts.push('');
    if (part === ANCHOR_ENDS) depth--;
    else if (part === ANCHOR_BEGINS || part === ANCHOR_GOES_ON) depth++;
    else if (depth > 0) texts[texts.length - 1] += part;
  }
  return texts.map(wordsOf);
}

function attribute(node: Element, name: string): string[] {
  return node.attrs.filter((each) => each.name === name).map((each) => each.value);
}

function tidy(text: string): string {
  return text
    .replaceAll(/[\u00ad\u200b\u2060]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

export function wordsOf(text: string): string[] {
  return tidy(text).split(' ');
}
