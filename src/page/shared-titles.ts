/**
 * What the titles of a host have in common, mostly its name: `os - Python documentation`, `Shop | Tea`. It says nothing
 * among the pages of the host and is left out where titles are shown.
 */
import { KeyTable, key53 } from '../lib/keys/key-table.ts';

/** What stands between a title and the name of a site; a colon behind a name alone. */
const BETWEEN = / (?:[-–—|·•»«]|::) /g;
const BEHIND_NAME = / (?:[-–—|·•»«]|::) |: /g;
/** Parts of a title that are looked at, from either end. */
const MAX_PARTS = 4;
/** Titles that have it, of all different ones of the host: as many, and this share of them. */
const MIN_TITLES = 5;
const MIN_SHARE = 0.5;

/** Keys of what the titles of one host begin or end with. */
export type SharedParts = ReadonlySet<number>;

/** Counts what titles begin and end with. The order of the titles, and how often one is met, make no difference. */
export class SharedTitles {
  /** Of a host of few titles; most hosts of a wide crawl end here. */
  #few: string[] = [];
  #counts: PartCounts | null = null;

  add(title: string): void {
    if (title === '') return;
    if (this.#counts === null) {
      if (this.#few.includes(title)) return;
      this.#few.push(title);
      if (this.#few.length < MIN_TITLES) return;
      this.#counts = new PartCounts();
      for (const early of this.#few) this.#counts.add(early);
      this.#few = [];
    } else {
      this.#counts.add(title);
    }
  }

  /** What enough of the titles share; the next host begins with none. */
  take(): SharedParts {
    const shared = this.#counts?.shared() ?? new Set<number>();
    this.#few = [];
    this.#counts = null;
    return shared;
  }
}

class PartCounts {
  readonly #titles = new KeyTable();
  readonly #counts = new KeyTable();
  /** Of enough titles, though not yet of the share. */
  readonly #frequent = new Set<number>();

  add(title: string): void {
    const titleKey = key53(title);
    if (this.#titles.has(titleKey)) return;
    this.#titles.set(titleKey, 1);
    for (const part of [...endsOf(title), ...startsOf(title)]) {
      const key = keyOf(part);
      const count = this.#counts.get(key, 0) + 1;
      this.#counts.set(key, count);
      if (count === MIN_TITLES) this.#frequent.add(key);
    }
  }

  shared(): Set<number> {
    const least = MIN_SHARE * this.#titles.size;
    return new Set([...this.#frequent].filter((key) => this.#counts.get(key, 0) >= least));
  }
}

/** A title without the longest end and the longest start that the host shares; never empty where the title is not. */
export function withoutShared(title: string, shared: SharedParts): string {
  const end = endsOf(title).find((part) => shared.has(keyOf(part)));
  const rest = end === undefined ? title : title.slice(0, -end.text.length);
  const start = startsOf(rest).find((part) => shared.has(keyOf(part)));
  return start === undefined ? rest : rest.slice(start.text.length);
}

interface Part {
  readonly where: 'start' | 'end';
  readonly text: string;
}

function keyOf({ where, text }: Part): number {
  return key53(`${where} ${text}`);
}

/** The longest first, each with what stands between; something is left of the title in each. */
function endsOf(title: string): Part[] {
  return [...title.matchAll(BETWEEN)]
    .filter(({ index }) => title.slice(0, index).trim() !== '')
    .slice(-MAX_PARTS)
    .map(({ index }) => ({ where: 'end', text: title.slice(index) }));
}

function startsOf(title: string): Part[] {
  return [...title.matchAll(BEHIND_NAME)]
    .map((between) => between.index + between[0].length)
    .filter((at) => title.slice(at).trim() !== '')
    .slice(0, MAX_PARTS)
    .reverse()
    .map((at) => ({ where: 'start', text: title.slice(0, at) }));
}
