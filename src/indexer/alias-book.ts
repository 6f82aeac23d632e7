import { readFileSync, writeFileSync } from 'node:fs';
import { KeyTable, key53 } from '../lib/key-table.ts';
import type { SkipReason } from '../sources/record.ts';
import { siteOf } from '../url/site.ts';
import type { WorkFiles, WorkFolder } from './work-folder.ts';

/**
 * Which URL speaks for which: redirects, rel=canonical, and several captures of one URL.
 *
 * A redirect always holds, unless its URL was fetched as a page as well. A canonical link holds inside one
 * site; to another site only where its target was fetched too, so that a page cannot lend its text to a
 * stranger's URL; never to a URL that is gone or asks not to be indexed. Of several captures of one URL the
 * latest speaks (of equal times the last in the input), and where that one asks not to be indexed, or the URL
 * was found gone later still, there is no page. Of several URLs that end at one, that URL's own capture speaks,
 * else the latest of its own site.
 *
 * Memory  about 24 bytes a fetched URL, and the strings of the aliases.
 */

export type AliasKind = 'redirect' | 'canonical';

/** A URL that was fetched and that another one speaks for, with the capture it has. */
interface FetchedAlias {
  readonly url: string;
  readonly sequence: number;
}

const NONE = 0xffffffff;
/** Where a circle of redirects ends. */
const NOWHERE = '';
const ALIASES_FILE = 'aliases.json';
const SILENT_FILE = 'silent-captures';
const ABSENT_FILE = 'absent.json';

/** URLs that the input says have no page: gone for good, or asking not to be indexed. */
export interface AbsentUrls {
  /** With the time of the answer, null where the source does not know it. */
  readonly gone: readonly (readonly [url: string, fetchedAtMs: number | null])[];
  readonly hidden: readonly string[];
}

export function readAbsent(folder: WorkFolder): AbsentUrls {
  return JSON.parse(readFileSync(folder.file(ABSENT_FILE), 'utf8')) as AbsentUrls;
}

export class AliasBook {
  /** URL key to the sequence of the capture that speaks for it. */
  readonly #speaker = new KeyTable();
  /** By sequence. */
  #times = new Float64Array(1024);
  #silent = new Uint8Array(128);
  /** Captures that ask not to be indexed: sequence to URL. */
  readonly #hidden = new Map<number, string>();
  readonly #gone = new Map<string, number | null>();
  readonly #redirects = new Map<string, { to: string; fetchedAtMs: number }>();
  readonly #canonicals = new Map<string, string>();
  readonly #ends = new Map<string, string>();
  readonly #redirectEnds = new Map<string, string>();
  #duplicateCount = 0;
  #redirectCount = 0;
  /** Captures that are pages, the superseded ones included. */
  captureCount = 0;

  page(url: string, sequence: number, fetchedAtMs: number, canonical: string | null): void {
    this.captureCount++;
    if (!this.#speaks(url, sequence, fetchedAtMs)) return;
    if (canonical !== null) this.#canonicals.set(url, canonical);
    else this.#canonicals.delete(url);
  }

  /** A capture that asks not to be indexed. */
  noindex(url: string, sequence: number, fetchedAtMs: number): void {
    this.#hidden.set(sequence, url);
    if (this.#speaks(url, sequence, fetchedAtMs)) this.#canonicals.delete(url);
  }

  /** A URL that is gone for good. An answer without a time takes no page away: the capture may be the later one. */
  gone(url: string, fetchedAtMs: number | null): void {
    const before = this.#gone.get(url) ?? null;
    this.#gone.set(url, before === null || (fetchedAtMs ?? 0) > before ? fetchedAtMs : before);
  }

  redirect(url: string, to: string, fetchedAtMs: number): void {
    this.#redirectCount++;
    const before = this.#redirects.get(url);
    if (before === undefined || fetchedAtMs >= before.fetchedAtMs)
      this.#redirects.set(url, { to, fetchedAtMs });
  }

  /** Whether this capture takes the word for its URL; silences the one that does not. */
  #speaks(url: string, sequence: number, fetchedAtMs: number): boolean {
    if (sequence >= this.#times.length) this.#grow(sequence);
    this.#times[sequence] = fetchedAtMs;
    const key = key53(url);
    const before = this.#speaker.get(key, NONE);
    const speaks = before === NONE || fetchedAtMs >= this.#times[before]!;
    if (speaks) this.#speaker.set(key, sequence);
    if (before !== NONE) {
      const superseded = speaks ? before : sequence;
      this.#silence(superseded);
      if (!this.#hidden.has(superseded)) this.#duplicateCount++;
    }
    return speaks;
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

  #isSilent(sequence: number): boolean {
    return (this.#silent[sequence >> 3]! & (1 << (sequence & 7))) !== 0;
  }

  /** Sequence of the capture that speaks for a URL, NONE where there is none or the URL is gone since. */
  #speakerOf(url: string): number {
    const sequence = this.#speaker.get(key53(url), NONE);
    return sequence !== NONE && this.#isSilent(sequence) ? NONE : sequence;
  }

  #fetched(url: string): boolean {
    return this.#speakerOf(url) !== NONE;
  }

  /** Of a capture, a redirect and an answer that the URL is gone, the latest holds. */
  #settleGone(): void {
    for (const [url, goneAtMs] of this.#gone) {
      const sequence = this.#speakerOf(url);
      if (sequence !== NONE) {
        if (goneAtMs === null || goneAtMs <= this.#times[sequence]!) {
          this.#gone.delete(url);
          continue;
        }
        this.#silence(sequence);
        if (!this.#hidden.has(sequence)) this.#duplicateCount++;
        this.#canonicals.delete(url);
      }
      const redirect = this.#redirects.get(url);
      if (redirect === undefined) continue;
      if (goneAtMs !== null && goneAtMs > redirect.fetchedAtMs) this.#redirects.delete(url);
      else this.#gone.delete(url);
    }
  }

  /** One step from a URL to the one that speaks for it, or null where it speaks for itself. */
  #next(url: string): string | null {
    if (!this.#fetched(url)) return this.#redirects.get(url)?.to ?? null;
    const canonical = this.#canonicals.get(url);
    return canonical !== undefined && this.#holds(url, canonical) ? canonical : null;
  }

  #holds(url: string, canonical: string): boolean {
    const end = follow(
      canonical,
      (one) => (this.#fetched(one) ? null : (this.#redirects.get(one)?.to ?? null)),
      () => NOWHERE,
      this.#redirectEnds,
    );
    if (end === NOWHERE) return false;
    const speaker = this.#speakerOf(end);
    if (speaker === NONE) return siteOf(end) === siteOf(url) && !this.#gone.has(end);
    return !this.#hidden.has(speaker);
  }

  /** The URL that speaks for this one in the end; of a circle, the first fetched URL in string order. */
  #resolve(url: string): string {
    const ofCircle = (circle: readonly string[]) => {
      const fetched = circle.filter((one) => this.#fetched(one));
      return least(fetched.length > 0 ? fetched : circle);
    };
    return follow(url, (one) => this.#next(one), ofCircle, this.#ends);
  }

  /** Settles every alias, writes the result down and tells how many captures it folded. */
  save(folder: WorkFolder): Partial<Record<SkipReason, number>> {
    this.#settleGone();
    const aliases: [url: string, to: string, kind: AliasKind][] = [];
    const heirs = new Map<string, FetchedAlias[]>();
    for (const url of new Set([...this.#redirects.keys(), ...this.#canonicals.keys()])) {
      const to = this.#resolve(url);
      if (to === url) continue;
      const fetched = this.#fetched(url);
      aliases.push([url, to, fetched ? 'canonical' : 'redirect']);
      if (!fetched) continue;
      const sequence = this.#speakerOf(url);
      const captures = heirs.get(to);
      if (captures === undefined) heirs.set(to, [{ url, sequence }]);
      else captures.push({ url, sequence });
    }
    let canonicalCount = 0;
    for (const [to, captures] of heirs) {
      const speaker = this.#fetched(to) ? null : this.#heir(to, captures);
      for (const capture of captures) {
        if (capture === speaker) continue;
        this.#silence(capture.sequence);
        canonicalCount++;
      }
    }
    aliases.sort((a, b) => (a[0] < b[0] ? -1 : 1));
    writeFileSync(folder.file(ALIASES_FILE), JSON.stringify(aliases), { flush: true });
    const hidden = [...this.#hidden]
      .filter(([sequence, url]) => this.#speakerOf(url) === sequence)
      .map(([, url]) => url);
    const absent: AbsentUrls = { gone: [...this.#gone], hidden };
    writeFileSync(folder.file(ABSENT_FILE), JSON.stringify(absent), { flush: true });
    writeFileSync(folder.file(SILENT_FILE), this.#silent, { flush: true });
    const counts = {
      duplicate: this.#duplicateCount,
      redirect: this.#redirectCount,
      canonical: canonicalCount,
    };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  /** Whose capture speaks for an unfetched URL: those of its own site first, then the latest, then by URL. */
  #heir(to: string, captures: readonly FetchedAlias[]): FetchedAlias {
    const own = captures.filter(({ url }) => siteOf(url) === siteOf(to));
    return (own.length > 0 ? own : captures).reduce((a, b) => {
      const [timeA, timeB] = [this.#times[a.sequence]!, this.#times[b.sequence]!];
      return (timeA === timeB ? a.url < b.url : timeA > timeB) ? a : b;
    });
  }
}

function least(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b < a ? b : a));
}

/**
 * Where a chain of URLs ends. Every URL on the way is noted in `ends`, so that long chains are walked once.
 */
function follow(
  url: string,
  next: (url: string) => string | null,
  ofCircle: (circle: readonly string[]) => string,
  ends: Map<string, string>,
): string {
  const path = new Set<string>();
  let end: string | undefined;
  for (let at = url; end === undefined; ) {
    end = ends.get(at);
    if (end !== undefined) break;
    if (path.has(at)) {
      const all = [...path];
      end = ofCircle(all.slice(all.indexOf(at)));
      break;
    }
    path.add(at);
    const step = next(at);
    if (step === null) end = at;
    else at = step;
  }
  for (const one of path) ends.set(one, end);
  return end;
}

/** What the book settled, for the stages after. */
export class Aliases {
  readonly list: readonly [url: string, to: string, kind: AliasKind][];
  readonly #targets: ReadonlyMap<string, string>;
  readonly #silent: Uint8Array;

  constructor(folder: WorkFiles) {
    this.list = JSON.parse(readFileSync(folder.file(ALIASES_FILE), 'utf8'));
    this.#silent = readFileSync(folder.file(SILENT_FILE));
    this.#targets = new Map(this.list.map(([url, to]) => [url, to]));
  }

  get size(): number {
    return this.#targets.size;
  }

  /** The URL that speaks for this one, or undefined where it speaks for itself. */
  target(url: string): string | undefined {
    return this.#targets.get(url);
  }

  /** Whether another capture speaks in place of this one. */
  isSilent(sequence: number): boolean {
    return (this.#silent[sequence >> 3]! & (1 << (sequence & 7))) !== 0;
  }
}
