import { readFileSync, writeFileSync } from 'node:fs';
import { KeyTable, key53 } from '../lib/key-table.ts';
import type { SkipReason } from '../sources/record.ts';
import { siteOf } from '../url/site.ts';
import type { WorkFolder } from './work-folder.ts';

/**
 * Which URL speaks for which: redirects, rel=canonical, and several captures of one URL.
 *
 * A redirect always holds, unless its URL was fetched as a page as well. A canonical link holds inside one
 * site; to another site only where its target was fetched too, so that a page cannot lend its text to a
 * stranger's URL. Of several captures that end at one URL one speaks: the URL's own, else the latest.
 *
 * Memory  about 24 bytes a fetched URL, and the strings of the aliases.
 */

export type AliasKind = 'redirect' | 'canonical';

const MAX_HOPS = 10;
const ALIASES_FILE = 'aliases.json';
const SILENT_FILE = 'silent-captures';

export class AliasBook {
  /** URL key to the sequence of the capture that speaks for it. */
  readonly #speaker = new KeyTable();
  /** By sequence. */
  #times = new Float64Array(1024);
  #silent = new Uint8Array(128);
  readonly #redirects = new Map<string, string>();
  readonly #canonicals = new Map<string, { to: string; sequence: number }>();
  #duplicateCount = 0;
  #redirectCount = 0;
  pageCount = 0;

  page(url: string, sequence: number, fetchedAtMs: number, canonical: string | null): void {
    if (sequence >= this.#times.length) this.#grow(sequence);
    this.#times[sequence] = fetchedAtMs;
    const key = key53(url);
    const before = this.#speaker.get(key, 0xffffffff);
    if (before !== 0xffffffff) {
      this.#duplicateCount++;
      const later = fetchedAtMs >= this.#times[before]!;
      this.#silence(later ? before : sequence);
      if (!later) return;
    } else {
      this.pageCount++;
    }
    this.#speaker.set(key, sequence);
    if (canonical !== null) this.#canonicals.set(url, { to: canonical, sequence });
    else this.#canonicals.delete(url);
  }

  redirect(url: string, to: string): void {
    this.#redirectCount++;
    this.#redirects.set(url, to);
  }

  #grow(sequence: number): void {
    const capacity = Math.max(this.#times.length * 2, sequence + 1);
    const times = new Float64Array(capacity);
    times.set(this.#times);
    this.#times = times;
    const silent = new Uint8Array((capacity >> 3) + 1);
    silent.set(this.#silent);
    this.#silent = silent;
  }

  #silence(sequence: number): void {
    this.#silent[sequence >> 3] = this.#silent[sequence >> 3]! | (1 << (sequence & 7));
  }

  #fetched(url: string): boolean {
    return this.#speaker.has(key53(url));
  }

  /** One step from a URL to the one that speaks for it, or null where it speaks for itself. */
  #next(url: string): { to: string; kind: AliasKind } | null {
    if (!this.#fetched(url)) {
      const to = this.#redirects.get(url);
      return to === undefined ? null : { to, kind: 'redirect' };
    }
    const canonical = this.#canonicals.get(url);
    if (canonical === undefined) return null;
    const holds =
      siteOf(canonical.to) === siteOf(url) || this.#fetched(canonical.to) || this.#redirects.has(canonical.to);
    return holds ? { to: canonical.to, kind: 'canonical' } : null;
  }

  /** The URL that speaks for this one in the end; of a circle, the first fetched URL in string order. */
  #resolve(url: string): { to: string; kind: AliasKind } {
    const path = [url];
    let kind: AliasKind | null = null;
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const step = this.#next(path.at(-1)!);
      if (step === null) break;
      kind ??= step.kind;
      const seen = path.indexOf(step.to);
      if (seen >= 0) {
        const circle = path.slice(seen);
        const fetched = circle.filter((one) => this.#fetched(one)).sort();
        return { to: fetched[0] ?? [...circle].sort()[0]!, kind };
      }
      path.push(step.to);
    }
    return { to: path.at(-1)!, kind: kind ?? 'redirect' };
  }

  /** Settles every alias, writes the result down and tells how many captures it folded. */
  save(folder: WorkFolder): Partial<Record<SkipReason, number>> {
    const aliases: [url: string, to: string, kind: AliasKind][] = [];
    const heirs = new Map<string, { url: string; sequence: number }[]>();
    for (const url of new Set([...this.#redirects.keys(), ...this.#canonicals.keys()])) {
      const { to, kind } = this.#resolve(url);
      if (to === url) continue;
      aliases.push([url, to, kind]);
      if (!this.#fetched(url)) continue;
      const sequence = this.#speaker.get(key53(url), 0);
      heirs.set(to, [...(heirs.get(to) ?? []), { url, sequence }]);
    }
    let canonicalCount = 0;
    for (const [to, captures] of heirs) {
      const speaker = this.#fetched(to) ? null : captures.reduce((a, b) => (this.#before(a, b) ? a : b));
      for (const capture of captures) {
        if (capture === speaker) continue;
        this.#silence(capture.sequence);
        canonicalCount++;
      }
    }
    aliases.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    writeFileSync(folder.file(ALIASES_FILE), JSON.stringify(aliases));
    writeFileSync(folder.file(SILENT_FILE), this.#silent);
    const counts = { duplicate: this.#duplicateCount, redirect: this.#redirectCount, canonical: canonicalCount };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  /** Whether capture a speaks rather than b: the later one, then the one of the smaller URL. */
  #before(a: { url: string; sequence: number }, b: { url: string; sequence: number }): boolean {
    const [timeA, timeB] = [this.#times[a.sequence]!, this.#times[b.sequence]!];
    return timeA === timeB ? a.url < b.url : timeA > timeB;
  }
}

/** What the book settled, for the stages after. */
export class Aliases {
  readonly list: readonly [url: string, to: string, kind: AliasKind][];
  readonly #targets = new Map<number, string>();
  readonly #silent: Uint8Array;

  constructor(folder: WorkFolder) {
    this.list = JSON.parse(readFileSync(folder.file(ALIASES_FILE), 'utf8'));
    this.#silent = readFileSync(folder.file(SILENT_FILE));
    for (const [url, to] of this.list) this.#targets.set(key53(url), to);
  }

  get size(): number {
    return this.#targets.size;
  }

  /** The URL that speaks for the one of this key, or undefined where it speaks for itself. */
  target(key: number): string | undefined {
    return this.#targets.get(key);
  }

  /** Whether another capture speaks in place of this one. */
  isSilent(sequence: number): boolean {
    return (this.#silent[sequence >> 3]! & (1 << (sequence & 7))) !== 0;
  }
}
