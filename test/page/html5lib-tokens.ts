/** What `HtmlScanner` makes of a page, in the notation of the html5lib tokenizer vectors. */

import { decodeHTML } from 'entities/decode';
import {
  COMMENT,
  DOCTYPE,
  END,
  END_TAG,
  HtmlScanner,
  START_TAG,
  TEXT,
} from '../../src/page/html/html-scanner.ts';

export type Token =
  | ['DOCTYPE']
  | ['StartTag', name: string, attributes: Record<string, string>, selfClosing?: true]
  | ['EndTag', name: string]
  | ['Comment' | 'Character', data: string];

/** The states of the vectors, each entered as a page enters it. */
const DOORS: Record<string, string> = {
  'Data state': '',
  'RCDATA state': '<title>',
  'RAWTEXT state': '<xmp>',
  'Script data state': '<script>',
  'PLAINTEXT state': '<plaintext>',
  'CDATA section state': '<![CDATA[',
};

export function tokensOf(input: string, state: string): Token[] {
  const door = DOORS[state];
  if (door === undefined) throw new Error(`no such state: ${state}`);
  const html = door + input.replace(/\r\n?/g, '\n');
  const scanner = new HtmlScanner(html, false);
  scanner.isForeign = state === 'CDATA section state';
  // The scanner leaves a NUL where it stands; the standard keeps it in text among markup only.
  let isMarkup = state === 'Data state' || state === 'CDATA section state';
  const tokens: Token[] = [];
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    const data = html.slice(scanner.start, scanner.end);
    const name = html
      .slice(scanner.nameStart, scanner.nameEnd)
      .replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
    if (token === DOCTYPE) tokens.push(['DOCTYPE']);
    else if (token === COMMENT) tokens.push(['Comment', replaced(data)]);
    else if (token === START_TAG) tokens.push(startTag(scanner, replaced(name)));
    else if (token === END_TAG) tokens.push(['EndTag', replaced(name)]);
    else if (token === TEXT) {
      const text = scanner.hasReferences ? decodeHTML(data) : data;
      addText(tokens, isMarkup ? text : replaced(text));
    }
    if (token === END_TAG) isMarkup = true;
    if (door.startsWith('<') && tokens.length === 1 && token === START_TAG && scanner.nameStart === 1)
      tokens.pop();
  }
  return tokens;
}

function startTag(scanner: HtmlScanner, name: string): Token {
  const attributes: Record<string, string> = {};
  for (const [written, value] of scanner.attributes()) {
    const key = replaced(written).replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
    if (!Object.hasOwn(attributes, key)) attributes[key] = value;
  }
  return scanner.isSelfClosing ? ['StartTag', name, attributes, true] : ['StartTag', name, attributes];
}

function addText(tokens: Token[], text: string): void {
  const last = tokens.at(-1);
  if (last?.[0] === 'Character') last[1] += text;
  else if (text !== '') tokens.push(['Character', text]);
}

function replaced(written: string): string {
  return written.replaceAll('\0', '\ufffd');
}
