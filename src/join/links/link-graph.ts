import { placeAmong } from '../../lib/sorted.ts';

/** Row p of a table is `ids[ends[p]]` .. `ids[ends[p + 1] - 1]`. */
export interface LinkRows {
  readonly ends: Uint32Array;
  readonly ids: Uint32Array;
}

/**
 * The links between the pages of an index, both ways: rows of page ids, ascending, each once, none of a page to itself.
 *
 * Memory  8 bytes a link and 8 a page, which threads can share; 12 a link while it is made.
 */
export interface LinkGraph {
  /** What a page links to. */
  readonly out: LinkRows;
  /** What links to it. */
  readonly in: LinkRows;
  /** Pages that are gone, ascending: others may link to them still. */
  readonly gone: Uint32Array;
}

/** Whether a page is gone; null where none is. */
export function goneAmong({ gone }: Pick<LinkGraph, 'gone'>): ((page: number) => boolean) | null {
  return gone.length === 0 ? null : (page) => placeAmong(gone, page) >= 0;
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

const CHUNK_LINKS = 1 << 20;

/** Makes a graph from its rows, in ascending order of pages. */
export class LinkGraphBuilder {
  readonly #out: Uint32Array;
  readonly #in: Uint32Array;
  readonly #chunks: Uint32Array[] = [];
  #linkCount = 0;

  constructor(pageCount: number) {
    this.#out = sharedUint32(pageCount + 1);
    this.#in = sharedUint32(pageCount + 1);
  }

  add(page: number, targets: Uint32Array): void {
    this.#out[page + 1] = targets.length;
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]!;
      this.#in[target + 1]!++;
      const at = this.#linkCount++ % CHUNK_LINKS;
      if (at === 0) this.#chunks.push(new Uint32Array(CHUNK_LINKS));
      this.#chunks.at(-1)![at] = target;
    }
  }

  /** To be called once. Shape  gone ascending. */
  graph(gone: Uint32Array = new Uint32Array(0)): LinkGraph {
    const out = { ends: this.#out, ids: sharedUint32(this.#linkCount) };
    const back = { ends: this.#in, ids: sharedUint32(this.#linkCount) };
    for (let page = 1; page < out.ends.length; page++) {
      out.ends[page]! += out.ends[page - 1]!;
      back.ends[page]! += back.ends[page - 1]!;
    }
    for (let start = 0; this.#chunks.length > 0; start += CHUNK_LINKS) {
      out.ids.set(this.#chunks.shift()!.subarray(0, this.#linkCount - start), start);
    }
    const next = new Uint32Array(back.ends);
    for (let page = 0; page + 1 < out.ends.length; page++) {
      const end = out.ends[page + 1]!;
      for (let at = out.ends[page]!; at < end; at++) back.ids[next[out.ids[at]!]!++] = page;
    }
    return { out, in: back, gone };
  }
}

function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
