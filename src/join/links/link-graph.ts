/** Row p of a table is `ids[ends[p]]` .. `ids[ends[p + 1] - 1]`. */
export interface LinkRows {
  readonly ends: Uint32Array;
  readonly ids: Uint32Array;
}

/**
 * The links between the pages of an index, both ways: rows of page ids, ascending, each once, none of a page to itself.
 *
 * Memory  8 bytes a link and 8 a page, which threads can share.
 */
export interface LinkGraph {
  /** What a page links to. */
  readonly out: LinkRows;
  /** What links to it. */
  readonly in: LinkRows;
}

export function rowOf({ ends, ids }: LinkRows, page: number): Uint32Array {
  return ids.subarray(ends[page]!, ends[page + 1]!);
}

export function rowLength({ ends }: LinkRows, page: number): number {
  return ends[page + 1]! - ends[page]!;
}

/** The pages that two ascending rows have in common. */
export function commonPages(a: Uint32Array, b: Uint32Array): number[] {
  const common: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) common.push(a[i]!);
    if (a[i]! <= b[j]!) i++;
    else j++;
  }
  return common;
}

/** Makes a graph from its rows, given twice in ascending order of pages: to `count`, then to `fill`. */
export class LinkGraphBuilder {
  readonly #out: Uint32Array;
  readonly #in: Uint32Array;
  #graph: LinkGraph | null = null;
  /** Where the next source of each page goes. */
  #next = new Uint32Array(0);

  constructor(pageCount: number) {
    this.#out = sharedUint32(pageCount + 1);
    this.#in = sharedUint32(pageCount + 1);
  }

  count(page: number, targets: Uint32Array): void {
    this.#out[page + 1] = targets.length;
    for (let i = 0; i < targets.length; i++) this.#in[targets[i]! + 1]!++;
  }

  fill(page: number, targets: Uint32Array): void {
    const { out, in: back } = (this.#graph ??= this.#allot());
    out.ids.set(targets, out.ends[page]!);
    const next = this.#next;
    for (let i = 0; i < targets.length; i++) back.ids[next[targets[i]!]!++] = page;
  }

  graph(): LinkGraph {
    return (this.#graph ??= this.#allot());
  }

  #allot(): LinkGraph {
    for (let page = 1; page < this.#out.length; page++) {
      this.#out[page]! += this.#out[page - 1]!;
      this.#in[page]! += this.#in[page - 1]!;
    }
    this.#next = new Uint32Array(this.#in);
    const linkCount = this.#out.at(-1)!;
    return {
      out: { ends: this.#out, ids: sharedUint32(linkCount) },
      in: { ends: this.#in, ids: sharedUint32(linkCount) },
    };
  }
}

function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
