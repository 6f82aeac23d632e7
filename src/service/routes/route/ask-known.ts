import { LINES_TYPE } from '../../http/body.ts';
import type { Generation } from '../../index/generation.ts';
import type { KnownPage } from '../../live/known-pages.ts';
import type { Ask, Gone } from './route.ts';

/** The route whose answer is that of `knownPages`. */
const ROUTE = 'putPages';
/** Lines that a thread reads together. */
const PIECE = 32;

/** What a generation knows of the pages of some records, each a line of JSON; on as many threads as there are. Errors  those of `ask`. */
export async function askKnown(
  ask: Ask,
  generation: Generation,
  lines: readonly string[],
  gone: Gone,
): Promise<KnownPage[]> {
  const pieces: Promise<KnownPage[]>[] = [];
  for (let from = 0; from < lines.length; from += PIECE) {
    const bytes = new TextEncoder().encode(lines.slice(from, from + PIECE).join('\n'));
    const body = { mediaType: LINES_TYPE, charset: null, bytes };
    const question = { query: {}, offset: 0, hash: '', body };
    pieces.push(ask(generation, ROUTE, question, gone).then(({ value }) => value as KnownPage[]));
  }
  return (await Promise.all(pieces)).flat();
}
