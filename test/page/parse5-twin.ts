/** What a page says, read slowly from the tree that the HTML standard builds: the judge of `extractHtml`. */

import { type DefaultTreeAdapterMap, html as ns, parse } from 'parse5';
import { BLOCK, elementOf, KIND, SILENT, SPACED } from '../../src/page/elements.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

export interface TwinPage {
  readonly title: string;
  readonly targets: string[];
  readonly words: string[];
}

const ANCHOR_BEGINS = '\u0001';
const ANCHOR_ENDS = '\u0002';

export function twinOf(html: string, url: string): TwinPage {
  const parts: string[] = [];
  const titles: string[] = [];
  const hrefs: string[] = [];
  const bases: string[] = [];
  const seen = new Set<number>();
  // Leaving a node is a string on the stack: deep trees must not overflow.
  const stack: (Node | string)[] = [parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: true })];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (typeof node === 'string') {
      parts.push(node);
      continue;
    }
    if ('value' in node && node.nodeName === '#text') parts.push(node.value);
    if (!('childNodes' in node)) continue;
    let after = '';
    if ('tagName' in node) {
      const { tagName } = node;
      if (tagName === 'title' && node.namespaceURI === ns.NS.HTML) {
        titles.push(tidy(node.childNodes.map((child) => ('value' in child ? child.value : '')).join('')));
        continue;
      }
      const kind = elementOf(tagName) & KIND;
      if (kind === SILENT) continue;
      if (tagName === 'base') bases.push(...attribute(node, 'href'));
      if (tagName === 'img') parts.push(' ', ...attribute(node, 'alt'), ' ');
      if (kind === SPACED) parts.push(' ');
      if (kind === BLOCK) {
        parts.push('\n');
        after = '\n';
      }
      if (tagName === 'a' || tagName === 'area') {
        const href = attribute(node, 'href');
        // Wrong nesting makes the tree repeat one start tag as several elements, some without a place.
        const offset = node.sourceCodeLocation?.startOffset ?? -1;
        const isNew = offset >= 0 && !seen.has(offset);
        if (href.length > 0 && isNew) hrefs.push(href[0]!);
        if (href.length > 0 && tagName === 'area') parts.push(' ', ...attribute(node, 'alt'), ' ');
        if (href.length > 0 && tagName === 'a') {
          if (isNew) parts.push(ANCHOR_BEGINS);
          after = ANCHOR_ENDS;
        }
        seen.add(offset);
      }
    }
    stack.push(after);
    for (let i = node.childNodes.length - 1; i >= 0; i--) stack.push(node.childNodes[i]!);
  }
  const named = bases.length > 0 ? URL.parse(bases[0]!, url) : null;
  const base = named?.protocol.startsWith('http') ? named.href : url;
  const targets = hrefs
    .map((href) => URL.parse(href, base))
    .filter((target) => /^https?:$/.test(target?.protocol ?? ''));
  const text = parts
    .join('')
    .replaceAll(ANCHOR_ENDS + ANCHOR_BEGINS, ' ')
    .replaceAll(ANCHOR_BEGINS, '')
    .replaceAll(ANCHOR_ENDS, '');
  return {
    title: titles.find((title) => title !== '') ?? '',
    targets: targets.map((target) => target!.href),
    words: tidy(text).split(' '),
  };
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
