/** A page for people, as a parser of others reads it. */
import { Parser } from 'htmlparser2';

export interface Page {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly html: string;
  /** Of all elements, in order. */
  readonly elements: readonly { name: string; attributes: Record<string, string> }[];
  /** Of text outside of elements that hide it. */
  readonly text: string;
  /** Addresses of this service that it leads to. */
  readonly links: readonly string[];
}

export function parsed(status: number, headers: Record<string, unknown>, html: string): Page {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  let text = '';
  const parser = new Parser({
    onopentag: (name, attributes) => void elements.push({ name, attributes }),
    ontext: (piece) => void (text += piece),
  });
  parser.end(html);
  const links = elements
    .map(({ attributes }) => attributes['href'] ?? '')
    .filter((href) => href.startsWith('/'));
  return { status, headers, html, elements, text: text.replaceAll(/\s+/g, ' '), links };
}
