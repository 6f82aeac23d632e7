import { chainEnd, NONE } from '../../lib/chain-end.ts';
import { KeyTable, key53 } from '../../lib/key-table.ts';
import { NumberColumn } from '../../lib/number-column.ts';
import { TextTable } from '../../lib/text-table.ts';
import { Uint32List } from '../../lib/uint32-list.ts';
import type { SkipReason } from '../../sources/record.ts';
import { siteOf } from '../../url/site.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import { writeAbsent } from './absent-urls.ts';
import { type Alias, writeAliases } from './aliases.ts';

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
 * Memory  about 24 bytes a fetched URL; of a URL that is no plain page, or that one leads to, its bytes and 80.
 */

/** Where a circle of redirects ends. */
const NOWHERE = 0xfffffffe;
/** When a URL was gone that is not, and one of which it is not known when. */
const NOT_GONE = Number.NaN;
const GONE_ONCE = Number.NEGATIVE_INFINITY;

export class AliasBook {
  /** URL key to the sequence of the capture that speaks for it. */
  readonly #speaker = new KeyTable();
  /** By sequence. */
  readonly #times = new NumberColumn(Float64Array, 0);
  #sequenceCount = 0;
  /** Bits by sequence: captures that another speaks for, and those that ask not to be indexed. */
  readonly #silent = new NumberColumn(Uint8Array, 0);
  readonly #hidden = new NumberColumn(Uint8Array, 0);
  readonly #hiddenSequences = new Uint32List();
  readonly #hiddenUrls = new Uint32List();
  /** The URLs that more is known of than a capture; what follows is by their numbers. */
  readonly #urls = new TextTable();
  readonly #keys = new NumberColumn(Float64Array, 0);
  readonly #goneAtMs = new NumberColumn(Float64Array, NOT_GONE);
  readonly #redirects = new NumberColumn(Uint32Array, NONE);
  readonly #redirectedAtMs = new NumberColumn(Float64Array, 0);
  readonly #canonicals = new NumberColumn(Uint32Array, NONE);
  readonly #ends = new NumberColumn(Uint32Array, NONE);
  readonly #redirectEnds = new NumberColumn(Uint32Array, NONE);
  #duplicateCount = 0;
  #redirectCount = 0;
  /** Captures that are pages, the superseded ones included. */
  captureCount = 0;

  page(url: string, sequence: number, fetchedAtMs: number, canonical: string | null): void {
    this.captureCount++;
    if (!this.#speaks(url, sequence, fetchedAtMs)) return;
    if (canonical !== null) this.#canonicals.set(this.#numberOf(url), this.#numberOf(canonical));
    else this.#forgetCanonical(url);
  }

  /** A capture that asks not to be indexed. */
  noindex(url: string, sequence: number, fetchedAtMs: number): void {
    setBit(this.#hidden, sequence);
    this.#hiddenSequences.push(sequence);
    this.#hiddenUrls.push(this.#numberOf(url));
    if (this.#speaks(url, sequence, fetchedAtMs)) this.#forgetCanonical(url);
  }

  /** A URL that is gone for good. An answer without a time takes no page away: the capture may be the later one. */
  gone(url: string, fetchedAtMs: number | null): void {
    const number = this.#numberOf(url);
    const before = this.#goneAtMs.get(number);
    const isFirst = Number.isNaN(before) || before === GONE_ONCE;
    if (isFirst || (fetchedAtMs ?? 0) > before) this.#goneAtMs.set(number, fetchedAtMs ?? GONE_ONCE);
  }

  redirect(url: string, to: string, fetchedAtMs: number): void {
    this.#redirectCount++;
    const number = this.#numberOf(url);
    if (this.#redirects.get(number) !== NONE && fetchedAtMs < this.#redirectedAtMs.get(number)) return;
    this.#redirects.set(number, this.#numberOf(to));
    this.#redirectedAtMs.set(number, fetchedAtMs);
  }

  #numberOf(url: string): number {
    const { size } = this.#urls;
    const number = this.#urls.add(url);
    if (number === size) this.#keys.set(number, key53(url));
    return number;
  }

  #forgetCanonical(url: string): void {
    const number = this.#urls.find(url);
    if (number >= 0) this.#canonicals.set(number, NONE);
  }

  /** Whether this capture takes the word for its URL; silences the one that does not. */
  #speaks(url: string, sequence: number, fetchedAtMs: number): boolean {
    this.#sequenceCount = Math.max(this.#sequenceCount, sequence + 1);
    this.#times.set(sequence, fetchedAtMs);
    const key = key53(url);
    const before = this.#speaker.get(key, NONE);
    const speaks = before === NONE || fetchedAtMs >= this.#times.get(before);
    if (speaks) this.#speaker.set(key, sequence);
    if (before !== NONE) {
      const superseded = speaks ? before : sequence;
      setBit(this.#silent, superseded);
      if (!hasBit(this.#hidden, superseded)) this.#duplicateCount++;
    }
    return speaks;
  }

  /** Sequence of the capture that speaks for a URL, NONE where there is none or the URL is gone since. */
  #speakerOf(url: number): number {
    const sequence = this.#speaker.get(this.#keys.get(url), NONE);
    return sequence !== NONE && hasBit(this.#silent, sequence) ? NONE : sequence;
  }

  #fetched(url: number): boolean {
    return this.#speakerOf(url) !== NONE;
  }

  #isGone(url: number): boolean {
    return !Number.isNaN(this.#goneAtMs.get(url));
  }

  /** Of a capture, a redirect and an answer that the URL is gone, the latest holds. */
  #settleGone(): void {
    for (let url = 0; url < this.#urls.size; url++) {
      if (!this.#isGone(url)) continue;
      const goneAtMs = this.#goneAtMs.get(url);
      const sequence = this.#speakerOf(url);
      if (sequence !== NONE) {
        if (goneAtMs <= this.#times.get(sequence)) {
          this.#goneAtMs.set(url, NOT_GONE);
          continue;
        }
        setBit(this.#silent, sequence);
        if (!hasBit(this.#hidden, sequence)) this.#duplicateCount++;
        this.#canonicals.set(url, NONE);
      }
      if (this.#redirects.get(url) === NONE) continue;
      if (goneAtMs > this.#redirectedAtMs.get(url)) this.#redirects.set(url, NONE);
      else this.#goneAtMs.set(url, NOT_GONE);
    }
  }

  /** One step from a URL to the one that speaks for it, or NONE where it speaks for itself. */
  #next(url: number): number {
    if (!this.#fetched(url)) return this.#redirects.get(url);
    const canonical = this.#canonicals.get(url);
    return canonical !== NONE && this.#holds(url, canonical) ? canonical : NONE;
  }

  #holds(url: number, canonical: number): boolean {
    const end = chainEnd(
      canonical,
      (one) => (this.#fetched(one) ? NONE : this.#redirects.get(one)),
      () => NOWHERE,
      this.#redirectEnds,
    );
    if (end === NOWHERE) return false;
    const speaker = this.#speakerOf(end);
    if (speaker === NONE) return this.#siteOf(end) === this.#siteOf(url) && !this.#isGone(end);
    return !hasBit(this.#hidden, speaker);
  }

  #siteOf(url: number): string {
    return siteOf(this.#urls.text(url));
  }

  /** The URL that speaks for this one in the end; of a circle, the first fetched URL in string order. */
  #resolve(url: number): number {
    const ofCircle = (circle: readonly number[]) => {
      const fetched = circle.filter((one) => this.#fetched(one));
      return (fetched.length > 0 ? fetched : circle).reduce((a, b) => (this.#urls.compare(b, a) < 0 ? b : a));
    };
    return chainEnd(url, (one) => this.#next(one), ofCircle, this.#ends);
  }

  /** Settles every alias, writes the result down and tells how many captures it folded. */
  save(folder: WorkFolder): Partial<Record<SkipReason, number>> {
    this.#settleGone();
    const found = new Uint32List();
    const fetched = new Uint32List();
    for (let url = 0; url < this.#urls.size; url++) {
      if (this.#redirects.get(url) === NONE && this.#canonicals.get(url) === NONE) continue;
      if (this.#resolve(url) === url) continue;
      found.push(url);
      if (this.#fetched(url)) fetched.push(url);
    }
    const aliases = found.toArray().sort((a, b) => this.#urls.compare(a, b));
    // Before captures fall silent.
    const isFetched = aliases.map((url) => (this.#fetched(url) ? 1 : 0));
    const canonicalCount = this.#silenceHeirs(fetched.toArray());
    const silent = this.#silent.first((this.#sequenceCount >> 3) + 1);
    writeAliases(folder, this.#settled(aliases, isFetched), silent);
    writeAbsent(folder, { gone: this.#gone(), hidden: this.#hiddenOnes() });
    const counts = {
      duplicate: this.#duplicateCount,
      redirect: this.#redirectCount,
      canonical: canonicalCount,
    };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  *#settled(aliases: Uint32Array, isFetched: Uint32Array): IterableIterator<Alias> {
    for (let i = 0; i < aliases.length; i++) {
      const url = aliases[i]!;
      const to = this.#urls.text(this.#ends.get(url));
      yield [this.#urls.text(url), to, isFetched[i] === 1 ? 'canonical' : 'redirect'];
    }
  }

  /** Of fetched aliases, those that lead to one URL together: one capture speaks for it. Returns how many do not. */
  #silenceHeirs(fetched: Uint32Array): number {
    const byEnd = fetched.sort((a, b) => this.#ends.get(a) - this.#ends.get(b) || a - b);
    const silent = new Uint32List();
    for (let from = 0, to = 0; from < byEnd.length; from = to) {
      const end = this.#ends.get(byEnd[from]!);
      while (to < byEnd.length && this.#ends.get(byEnd[to]!) === end) to++;
      const heirs = byEnd.subarray(from, to);
      const speaker = this.#fetched(end) ? NONE : this.#heir(end, heirs);
      for (const url of heirs) if (url !== speaker) silent.push(this.#speakerOf(url));
    }
    for (const sequence of silent.toArray()) setBit(this.#silent, sequence);
    return silent.length;
  }

  /** Whose capture speaks for an unfetched URL: those of its own site first, then the latest, then by URL. */
  #heir(to: number, urls: Uint32Array): number {
    const site = this.#siteOf(to);
    const own = urls.filter((url) => this.#siteOf(url) === site);
    return (own.length > 0 ? own : urls).reduce((a, b) => {
      const [timeA, timeB] = [a, b].map((url) => this.#times.get(this.#speakerOf(url)));
      return (timeA === timeB ? this.#urls.compare(a, b) < 0 : timeA! > timeB!) ? a : b;
    });
  }

  *#gone(): IterableIterator<[url: string, fetchedAtMs: number | null]> {
    for (let url = 0; url < this.#urls.size; url++) {
      const goneAtMs = this.#goneAtMs.get(url);
      if (this.#isGone(url)) yield [this.#urls.text(url), goneAtMs === GONE_ONCE ? null : goneAtMs];
    }
  }

  /** URLs whose speaking capture asks not to be indexed. */
  *#hiddenOnes(): IterableIterator<string> {
    const urls = this.#hiddenUrls.toArray();
    for (const [i, sequence] of this.#hiddenSequences.toArray().entries()) {
      if (this.#speakerOf(urls[i]!) === sequence) yield this.#urls.text(urls[i]!);
    }
  }
}

function hasBit(bits: NumberColumn<Uint8Array>, index: number): boolean {
  return (bits.get(index >> 3) & (1 << (index & 7))) !== 0;
}

function setBit(bits: NumberColumn<Uint8Array>, index: number): void {
  bits.set(index >> 3, bits.get(index >> 3) | (1 << (index & 7)));
}
