/**
 * Finds the charset that a page of HTML declares near its start, in a `<meta>`, or where there is none in an XML declaration:
 * in the first 16 KiB, since browsers, which look ahead for 1,024 bytes only, start over when they meet a declaration later.
 *
 * Source  HTML standard, 13.2.3.2 "prescan a byte stream to determine its encoding", "get an XML encoding" and
 *         "extracting a character encoding from a meta element". One difference: bytes that end within
 *         a declaration declare nothing (the standard leaves that to the implementation).
 */

const PRESCAN_BYTES = 16_384;

const BLANK = '\t\n\f\r ';

/** The WHATWG name of the declared encoding, or null where there is none or its label is unknown. */
export function declaredCharset(body: Uint8Array): string | null {
  const head = Buffer.from(body.subarray(0, PRESCAN_BYTES)).toString('latin1');
  return charsetOfMeta(head) ?? charsetOfXml(head);
}

function charsetOfXml(head: string): string | null {
  const end = head.startsWith('<?xml') ? head.indexOf('>') : -1;
  const found = /encoding\s*=\s*(?:"([^"\s]*)"|'([^'\s]*)')/.exec(head.slice(0, end + 1));
  return found === null ? null : declaredName(found[1] ?? found[2]!);
}

function charsetOfMeta(head: string): string | null {
  let at = head.indexOf('<');
  while (at >= 0) {
    let next = at + 1;
    if (head.startsWith('<!--', at)) {
      const end = head.indexOf('-->', at + 2);
      next = end < 0 ? head.length : end + 3;
    } else if (/^<meta[\t\n\f\r /]/i.test(head.slice(at, at + 6))) {
      const tag = readAttributes(head, at + 5);
      if (tag === null) return null;
      const found = charsetOf(tag.attributes);
      if (found !== null) return found;
      next = tag.end;
    } else if (/^<\/?[a-z]/i.test(head.slice(at, at + 3))) {
      let name = at + 1;
      while (name < head.length && !`${BLANK}>`.includes(head[name]!)) name++;
      const tag = readAttributes(head, name);
      if (tag === null) return null;
      next = tag.end;
    } else if ('!/?'.includes(head[at + 1] ?? '-')) {
      const end = head.indexOf('>', at);
      next = end < 0 ? head.length : end;
    }
    at = head.indexOf('<', next);
  }
  return null;
}

/** Attributes of the tag from `at` on, first of a name wins; null where the bytes end inside the tag. */
function readAttributes(head: string, from: number): { attributes: Map<string, string>; end: number } | null {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    while (at < head.length && `${BLANK}/`.includes(head[at]!)) at++;
    if (at >= head.length) return null;
    if (head[at] === '>') return { attributes, end: at + 1 };
    const start = at++;
    while (at < head.length && !`${BLANK}/>=`.includes(head[at]!)) at++;
    const name = head.slice(start, at).toLowerCase();
    while (at < head.length && BLANK.includes(head[at]!)) at++;
    let value = '';
    if (head[at] === '=') {
      at++;
      while (at < head.length && BLANK.includes(head[at]!)) at++;
      const quote = head[at];
      if (quote === '"' || quote === "'") {
        const end = head.indexOf(quote, at + 1);
        if (end < 0) return null;
        value = head.slice(at + 1, end);
        at = end + 1;
      } else {
        const begin = at;
        while (at < head.length && !`${BLANK}>`.includes(head[at]!)) at++;
        value = head.slice(begin, at);
      }
    }
    if (!attributes.has(name)) attributes.set(name, value);
  }
}

function charsetOf(attributes: Map<string, string>): string | null {
  const declared = attributes.get('charset');
  if (declared !== undefined) return declaredName(declared);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return null;
  const content = attributes.get('content') ?? '';
  const found =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))/i.exec(content);
  return found === null ? null : declaredName(found[1] ?? found[2] ?? found[3] ?? '');
}

/** What was read as ASCII cannot be UTF-16, and no page means x-user-defined (as the standard has it). */
function declaredName(label: string): string | null {
  const name = encodingName(label);
  if (name === 'utf-16le' || name === 'utf-16be') return 'utf-8';
  return name === 'x-user-defined' ? 'windows-1252' : name;
}

/** The WHATWG name for a label (`latin1` -> `windows-1252`), or null for one that cannot be decoded. */
export function encodingName(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
