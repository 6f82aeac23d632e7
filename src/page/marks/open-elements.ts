/**
 * The elements that are open, without a tree: which ones a start tag ends whose end tags may be left out, and which ones an
 * end tag ends. An inline element ends at its end tag, also where a tree would make several of it.
 *
 * Cost    at most MAX_DEPTH looks a tag: what lies deeper is counted, and belongs to the element around it.
 * Source  HTML standard, 13.2.4.2 (scopes) and 13.2.6.4 (tags that end others).
 */
import { listIn } from '../../lib/kept.ts';

export const VOID = wordSet('area base br col embed hr img input link meta param source track wbr');

/** As deep as browsers build trees. */
const MAX_DEPTH = 512;

const SCOPES = wordSet('applet caption html marquee object table td template th');
const ROWS = wordSet('caption colgroup tbody tfoot thead');

const BLOCKS =
  'article aside blockquote center details dialog dir dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup main menu nav ol pre search section summary table ul';
/** An item ends the one before it, unless one of these stands between them. */
const ITEM_SCOPES = new Set([...SCOPES, ...wordSet(`${BLOCKS} body button dd dt li select`)]);
/** A cell or a caption is a scope for all but the tags of its table. */
const TABLE_SCOPES = wordSet('table template');

/** What a start tag ends, and the elements around it beyond which it ends nothing. */
interface Ended {
  readonly ends: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

const ENDED = new Map<string, Ended[]>();
for (const [names, ends, within] of [
  [`${BLOCKS} address dd div dt hr li p`, 'p', new Set([...SCOPES, 'button'])],
  ['li', 'li', ITEM_SCOPES],
  ['dt dd', 'dt dd', ITEM_SCOPES],
  ['option', 'option', new Set([...SCOPES, 'select'])],
  ['optgroup', 'option optgroup', new Set([...SCOPES, 'select'])],
  ['td th', 'td th caption', new Set([...TABLE_SCOPES, 'tr'])],
  ['tr', 'tr caption colgroup', TABLE_SCOPES],
  ['tbody thead tfoot', 'tbody thead tfoot tr caption colgroup', TABLE_SCOPES],
  ['body', 'head', SCOPES],
] as const) {
  for (const name of wordSet(names)) listIn(ENDED, name).push({ ends: wordSet(ends), within });
}

export class OpenElements<Held> {
  readonly #names: string[] = [];
  readonly #held: Held[] = [];
  readonly #closed: (held: Held) => void;
  #deeper = 0;

  /** @param closed is called with what an element held, when it ends; inner ones first. */
  constructor(closed: (held: Held) => void) {
    this.#closed = closed;
  }

  /** What the innermost element holds. */
  get innermost(): Held | undefined {
    return this.#held.at(-1);
  }

  /** Ends what a start tag ends by itself. */
  endBefore(name: string): void {
    for (const { ends, within } of ENDED.get(name) ?? []) {
      let outermost = this.#names.length;
      for (let at = outermost - 1; at >= 0; at--) {
        const open = this.#names[at]!;
        if (ends.has(open)) outermost = at;
        else if (within.has(open)) break;
      }
      this.#endFrom(outermost);
    }
  }

  open(name: string, held: Held): void {
    if (this.#names.length >= MAX_DEPTH) {
      this.#deeper++;
      return;
    }
    this.#names.push(name);
    this.#held.push(held);
  }

  close(name: string): void {
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    const isOfTable = ROWS.has(name) || SCOPES.has(name) || name === 'tr';
    for (let at = this.#names.length - 1; at >= 0; at--) {
      const open = this.#names[at]!;
      if (open === name) this.#endFrom(at);
      if (open === name || (isOfTable ? open === 'table' : SCOPES.has(open))) break;
    }
  }

  /** The page is over. */
  end(): void {
    this.#endFrom(0);
  }

  #endFrom(outermost: number): void {
    while (this.#names.length > outermost) {
      this.#names.pop();
      this.#closed(this.#held.pop()!);
    }
  }
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
