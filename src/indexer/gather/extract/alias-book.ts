import { chainEnd } from '../../../lib/chain-end.ts';
import { NONE } from '../../../lib/columns/indexes.ts';
import { NumberColumn } from '../../../lib/columns/number-column.ts';
import { Uint32List } from '../../../lib/columns/uint32-list.ts';
import { keptIn } from '../../../lib/kept.ts';
import { KeyTable, key53 } from '../../../lib/keys/key-table.ts';
import { TextTable } from '../../../lib/keys/text-table.ts';
import {
  ANSWER_KIND_NAMES,
  type Answer,
  type AnswerKind,
  type AnswerOrigin,
  fateOf,
  GONE,
  NOINDEX,
  PAGE,
  REDIRECT,
  speaksBefore,
  sweepOf,
  takesPlace,
} from '../../../sources/record/answers.ts';
import type { SkipReason } from '../../../sources/record/record.ts';
import { siteOf } from '../../../url/site.ts';
import { OTHER_ANSWERS } from '../../files/records/stage-files.ts';
import type { BuildFiles } from '../../files/work-folder.ts';
import {
  type Alias,
  ERASES,
  FOLDED,
  MET_AGAIN,
  type OtherAnswer,
  PAST,
  SUPERSEDED,
  writeAliases,
} from '../records/answers/aliases.ts';
import { LaterVisits, type VisitAgain } from '../records/answers/later-visits.ts';
import { FarApart } from './far-apart.ts';

/**
 * Which answer holds for each URL, and which URL speaks for which.
 *
 * An answer is a page, a page that asks not to be indexed, a redirect, or "gone" (404, 410). Answers come in the order of
 * the input; of each URL one holds, and each new answer takes its place or does not: see answers.ts.
 *
 * A page whose place an answer of another sweep takes is kept as a past capture; one that asked not to be indexed leaves
 * nothing, and nothing of what was there before it.
 *
 * A canonical link holds inside one site; to another site only where its target was read too, so that a page cannot lend
 * its text to a stranger's URL; never to a URL that is gone or asks not to be indexed. Of several URLs that end at one,
 * that URL's own capture speaks, else the latest of its own site.
 *
 * So all that is known of a URL, except its past captures, is one answer: an index can give it back as one record.
 *
 * A page that another sweep met as it was is an answer of that sweep, too; its text stands in one record.
 *
 * Memory  about 32 bytes a fetched URL, and 24 to 48 of each later visit; of a URL that is no plain page, or that one leads to, its bytes and 90.
 */

/** Where a circle of redirects ends. */
const NOWHERE = 0xfffffffe;

interface CaptureOrigin extends AnswerOrigin {
  readonly sequence: number;
}

interface BookedAnswer extends Answer {
  /** Of a page; else NONE. */
  readonly sequence: number;
}

export class AliasBook {
  /** Answers of this sweep and the ones behind are new; those before come from an index and are not counted again. */
  readonly #firstNewSweep: number;
  readonly #isWhole: (sweepId: number) => boolean;
  /** URL key to the sequence of the capture that is its answer. */
  readonly #captures = new KeyTable();
  /** By sequence. */
  readonly #times = new NumberColumn(Float64Array, 0);
  readonly #sweeps = new NumberColumn(Uint32Array, 0);
  readonly #flags = new NumberColumn(Uint8Array, 0);
  readonly #isNoindex = new NumberColumn(Uint8Array, 0);
  #sequenceCount = 0;
  /** The URLs that more is known of than a capture; what follows is by their numbers. */
  readonly #urls = new TextTable();
  readonly #keys = new NumberColumn(Float64Array, 0);
  /** Of an answer that is no capture: its kind, else 0. */
  readonly #kinds = new NumberColumn(Uint8Array, 0);
  /** Since which sweep it is none. */
  readonly #answerSweeps = new NumberColumn(Uint32Array, 0);
  readonly #answerTimes = new NumberColumn(Float64Array, 0);
  readonly #redirects = new NumberColumn(Uint32Array, NONE);
  readonly #canonicals = new NumberColumn(Uint32Array, NONE);
  readonly #ends = new NumberColumn(Uint32Array, NONE);
  readonly #redirectEnds = new NumberColumn(Uint32Array, NONE);
  readonly #visits = new LaterVisits();
  /** Of the new captures that became no page of their own, by sweep and reason. */
  readonly #folds = new Map<number, Partial<Record<SkipReason, number>>>();
  /** Captures that are pages, those that are superseded or past included. */
  captureCount = 0;
  readonly farApart = new FarApart();

  /** @param isWhole of a sweep whose answers hold over those of earlier sweeps, whatever their times. */
  constructor(firstNewSweep: number, isWhole: (sweepId: number) => boolean) {
    this.#firstNewSweep = firstNewSweep;
    this.#isWhole = isWhole;
  }

  page(url: string, origin: CaptureOrigin, canonical: string | null): void {
    this.captureCount++;
    if (!this.#take(url, { ...origin, kind: PAGE })) return;
    if (canonical !== null) this.#canonicals.set(this.#numberOf(url), this.#numberOf(canonical));
  }

  noindex(url: string, origin: CaptureOrigin): void {
    this.#isNoindex.set(origin.sequence, 1);
    if (!this.#take(url, { ...origin, kind: NOINDEX })) return;
    this.#flag(origin.sequence, ERASES);
    this.#numberOf(url);
  }

  gone(url: string, origin: AnswerOrigin): void {
    this.#take(url, { ...origin, kind: GONE, sequence: NONE });
  }

  redirect(url: string, to: string, origin: AnswerOrigin): void {
    this.#countFold(origin.sweepId, 'redirect');
    if (!this.#take(url, { ...origin, kind: REDIRECT, sequence: NONE })) return;
    this.#redirects.set(this.#numberOf(url), this.#numberOf(to));
  }

  /** Another URL of a page leads to it, as servers redirect it, where nothing else is known of that URL. */
  name(name: string, url: string, { sweepId }: AnswerOrigin): void {
    const known = this.#urls.find(name);
    const standing = this.#standing(key53(name), known);
    const isOurs = standing?.kind === REDIRECT && this.#urls.text(this.#redirects.get(known)) === url;
    if (!isOurs && standing?.kind !== GONE && (known >= 0 || standing !== null)) return;
    if (this.#take(name, { kind: REDIRECT, sequence: NONE, sweepId, fetchedAtMs: 0 }))
      this.#redirects.set(this.#numberOf(name), this.#numberOf(url));
  }

  /** A capture of which an index says that another took its place, or still has it: a page that changed back is met by later sweeps. */
  past(url: string, { sequence, sweepId, fetchedAtMs }: CaptureOrigin): void {
    this.captureCount++;
    this.#flag(sequence, SUPERSEDED | PAST);
    const standing = this.#standing(key53(url), -1);
    if (standing === null || sweepId < standing.sweepId || fetchedAtMs < standing.fetchedAtMs) return;
    this.#sweeps.set(standing.sequence, sweepId);
    this.#times.set(standing.sequence, fetchedAtMs);
  }

  /**
   * Another sweep has met a URL as it was: the answer that holds does so from then on. Which capture of a page it is, where it
   * names one, is found with its records (`UrlStates`).
   *
   * @returns what it is, and the canonical URL of a page; null where none holds that was there before.
   */
  metAgain(
    url: string,
    origin: VisitAgain,
  ): { readonly kind: AnswerKind; readonly canonical: string | null } | null {
    const number = this.#urls.find(url);
    const standing = this.#standing(key53(url), number);
    this.farApart.note({ ...origin, kind: PAGE }, standing);
    if (standing === null || standing.kind === GONE || standing.sweepId === origin.sweepId) return null;
    const { kind, sequence } = standing;
    if (!this.#takesPlace({ ...origin, kind }, standing)) return null;
    if (sequence === NONE) {
      this.#countFold(origin.sweepId, 'redirect');
      this.#answerTimes.set(number, origin.fetchedAtMs);
      return { kind, canonical: null };
    }
    this.#sweeps.set(sequence, origin.sweepId);
    this.#times.set(sequence, origin.fetchedAtMs);
    if (kind === PAGE) {
      this.#flag(sequence, MET_AGAIN);
      this.#visits.push({ sequence, ...origin });
    }
    return { kind, canonical: this.canonicalOf(url) };
  }

  /** What the page of a URL names as its canonical URL so far; null where it names none. */
  canonicalOf(url: string): string | null {
    const number = this.#urls.find(url);
    const canonical = number < 0 ? NONE : this.#canonicals.get(number);
    return canonical === NONE ? null : this.#urls.text(canonical);
  }

  /** The answer that holds for a URL so far; null where there is none. */
  answerOf(url: string): Answer | null {
    return this.#standing(key53(url), this.#urls.find(url));
  }

  /** URLs whose answer is that they are gone. */
  *goneUrls(): IterableIterator<string> {
    for (let url = 0; url < this.#urls.size; url++) {
      if (this.#kinds.get(url) === GONE) yield this.#urls.text(url);
    }
  }

  #countFold(sweepId: number, reason: SkipReason): void {
    if (sweepId < this.#firstNewSweep) return;
    const counts = keptIn(this.#folds, sweepId, () => ({}));
    counts[reason] = (counts[reason] ?? 0) + 1;
  }

  #numberOf(url: string): number {
    const { size } = this.#urls;
    const number = this.#urls.add(url);
    if (number === size) this.#keys.set(number, key53(url));
    return number;
  }

  #flag(sequence: number, flags: number): void {
    this.#sequenceCount = Math.max(this.#sequenceCount, sequence + 1);
    this.#flags.set(sequence, this.#flags.get(sequence) | flags);
  }

  /** The answer that holds for a URL so far, or null. `number` is -1 for a URL without one. */
  #standing(key: number, number: number): BookedAnswer | null {
    const sequence = this.#captures.get(key, NONE);
    if (sequence !== NONE) {
      const kind = this.#isNoindex.get(sequence) === 1 ? NOINDEX : PAGE;
      const origin = { sweepId: this.#sweeps.get(sequence), fetchedAtMs: this.#times.get(sequence) };
      return { kind, sequence, ...origin };
    }
    if (number < 0 || this.#kinds.get(number) === 0) return null;
    const origin = { sweepId: this.#answerSweeps.get(number), fetchedAtMs: this.#answerTimes.get(number) };
    return { kind: this.#kinds.get(number) as AnswerKind, sequence: NONE, ...origin };
  }

  /** Puts an answer in the place of the one that holds, or passes it over. Returns which. */
  #take(url: string, answer: BookedAnswer): boolean {
    const key = key53(url);
    const known = this.#urls.find(url);
    const standing = this.#standing(key, known);
    const { kind, sequence, sweepId, fetchedAtMs } = answer;
    this.farApart.note(answer, standing);
    if (sequence !== NONE) {
      this.#flag(sequence, 0);
      this.#times.set(sequence, fetchedAtMs);
      this.#sweeps.set(sequence, sweepId);
    }
    const holds = standing === null || this.#takesPlace(answer, standing);
    if (standing !== null) {
      if (holds) this.#silence(standing, answer);
      else this.#silence(answer, standing);
    }
    if (!holds) return false;
    if (known >= 0) {
      this.#kinds.set(known, 0);
      this.#redirects.set(known, NONE);
      this.#canonicals.set(known, NONE);
    }
    if (sequence !== NONE) {
      this.#captures.set(key, sequence);
      return true;
    }
    if (standing !== null && standing.sequence !== NONE) this.#captures.set(key, NONE);
    const number = this.#numberOf(url);
    this.#kinds.set(number, kind);
    this.#answerSweeps.set(number, sweepOf(answer, standing));
    this.#answerTimes.set(number, fetchedAtMs);
    return true;
  }

  #takesPlace(answer: Answer, standing: Answer): boolean {
    const { sweepId } = answer;
    return (sweepId !== standing.sweepId && this.#isWhole(sweepId)) || takesPlace(answer, standing);
  }

  /** Notes that an answer does not hold, as another does. */
  #silence(answer: BookedAnswer, other: BookedAnswer): void {
    if (answer.sequence === NONE) return;
    const fate = fateOf(answer, other);
    this.#flag(answer.sequence, fate === 'past' ? SUPERSEDED | PAST : SUPERSEDED);
    if (fate === 'duplicate') this.#countFold(answer.sweepId, fate);
  }

  /** Sequence of the capture that is the answer of a URL, NONE where there is none. */
  #captureOf(url: number): number {
    return this.#captures.get(this.#keys.get(url), NONE);
  }

  #isFetched(url: number): boolean {
    return this.#captureOf(url) !== NONE;
  }

  /** One step from a URL to the one that speaks for it, or NONE where it speaks for itself. */
  #next(url: number): number {
    if (!this.#isFetched(url)) return this.#redirects.get(url);
    const canonical = this.#canonicals.get(url);
    return canonical !== NONE && this.#holds(url, canonical) ? canonical : NONE;
  }

  #holds(url: number, canonical: number): boolean {
    const end = chainEnd(
      canonical,
      (one) => (this.#isFetched(one) ? NONE : this.#redirects.get(one)),
      () => NOWHERE,
      this.#redirectEnds,
    );
    if (end === NOWHERE) return false;
    const capture = this.#captureOf(end);
    if (capture !== NONE) return this.#isNoindex.get(capture) === 0;
    return this.#siteOf(end) === this.#siteOf(url) && this.#kinds.get(end) !== GONE;
  }

  #siteOf(url: number): string {
    return siteOf(this.#urls.text(url));
  }

  /** The URL that speaks for this one in the end; of a circle, the first fetched URL in string order. */
  #resolve(url: number): number {
    const ofCircle = (circle: readonly number[]) => {
      const fetched = circle.filter((one) => this.#isFetched(one));
      return (fetched.length > 0 ? fetched : circle).reduce((a, b) => (this.#urls.compare(b, a) < 0 ? b : a));
    };
    return chainEnd(url, (one) => this.#next(one), ofCircle, this.#ends);
  }

  /** Decides on every alias, writes the result to files and returns how many captures of each new sweep it folded, by reason. */
  save(folder: BuildFiles): ReadonlyMap<number, Partial<Record<SkipReason, number>>> {
    const found = new Uint32List();
    const fetched = new Uint32List();
    for (let url = 0; url < this.#urls.size; url++) {
      if (this.#redirects.get(url) === NONE && this.#canonicals.get(url) === NONE) continue;
      if (this.#resolve(url) === url) continue;
      found.push(url);
      if (this.#isFetched(url)) fetched.push(url);
    }
    const aliases = found.toArray().sort((a, b) => this.#urls.compare(a, b));
    // Before captures are folded.
    const isFetched = aliases.map((url) => (this.#isFetched(url) ? 1 : 0));
    this.#keepOneCapturePerTarget(fetched.toArray());
    writeAliases(folder, this.#decided(aliases, isFetched), this.#flags.first(this.#sequenceCount));
    this.#visits.write(folder);
    OTHER_ANSWERS.write(folder, this.#otherAnswers());
    return this.#folds;
  }

  *#decided(aliases: Uint32Array, isFetched: Uint32Array): IterableIterator<Alias> {
    for (let i = 0; i < aliases.length; i++) {
      const url = aliases[i]!;
      const to = this.#urls.text(this.#ends.get(url));
      yield [this.#urls.text(url), to, isFetched[i] === 1 ? 'canonical' : 'redirect'];
    }
  }

  /** Of fetched aliases that lead to one URL, one capture speaks for it at most. */
  #keepOneCapturePerTarget(fetched: Uint32Array): void {
    const byEnd = fetched.sort((a, b) => this.#ends.get(a) - this.#ends.get(b) || a - b);
    for (let from = 0, to = 0; from < byEnd.length; from = to) {
      const end = this.#ends.get(byEnd[from]!);
      while (to < byEnd.length && this.#ends.get(byEnd[to]!) === end) to++;
      const sources = byEnd.subarray(from, to);
      const speaker = this.#isFetched(end) ? NONE : this.#speakerOf(end, sources);
      for (const url of sources) {
        if (url === speaker) continue;
        const sequence = this.#captureOf(url);
        this.#flag(sequence, SUPERSEDED | FOLDED);
        this.#countFold(this.#sweeps.get(sequence), 'canonical');
      }
    }
  }

  /** Whose capture speaks for an unfetched URL. */
  #speakerOf(to: number, urls: Uint32Array): number {
    const site = this.#siteOf(to);
    const speaker = (url: number) => ({
      url: this.#urls.text(url),
      isOfSite: this.#siteOf(url) === site,
      fetchedAtMs: this.#times.get(this.#captureOf(url)),
    });
    return urls.reduce((a, b) => (speaksBefore(speaker(a), speaker(b)) ? a : b));
  }

  /** Answers that are no page, in URL order. */
  *#otherAnswers(): IterableIterator<OtherAnswer> {
    const urls = Uint32Array.from({ length: this.#urls.size }, (_, url) => url);
    for (const url of urls.sort((a, b) => this.#urls.compare(a, b))) {
      const answer = this.#standing(this.#keys.get(url), url);
      if (answer === null || answer.kind === PAGE) continue;
      yield {
        url: this.#urls.text(url),
        kind: ANSWER_KIND_NAMES[answer.kind],
        sweepId: answer.sweepId,
        fetchedAtMs: answer.fetchedAtMs,
        to: answer.kind === REDIRECT ? this.#urls.text(this.#redirects.get(url)) : '',
      };
    }
  }
}
