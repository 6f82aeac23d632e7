import { type Answer, isCapture } from '../../../sources/record/answers.ts';
import { hidesPages } from '../../../sources/record/fault.ts';
import type { Fault, SkipReason } from '../../../sources/record/record.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { siteOf } from '../../../url/site.ts';
import type { RecordWriter } from '../../files/records/record-file.ts';
import { answeredInSweep } from '../../files/records/stage-files.ts';
import type { BuildFiles } from '../../files/work-folder.ts';
import type { InputOptions } from '../../options/build-options.ts';
import type { Outcome } from './extract-task.ts';
import { answeredUrls, type OpenedIndex } from './index-input.ts';

/** Of a URL that is not said to be gone. */
const MAY_BE_THERE: ReadonlySet<SkipReason> = new Set(['status', 'unreadable', 'too_large', 'revisit']);

interface WholeSweep {
  readonly id: number;
  /** Sites of its pages. */
  readonly sites: Set<string>;
  /** URLs that it has, though no page of them: those that its pages give as their own, and those that could not be read. */
  readonly otherUrls: Set<string>;
  /** Whether pages are in it that could not be read, and are not known: nothing is gone for not being there. */
  isBroken: boolean;
}

/** What there is to know of the URLs of sites. */
interface Book {
  /** The answer that holds for a URL; null where there is none. */
  readonly answerOf: (url: string) => Answer | null;
  /** What its page names as canonical; null where it names none. */
  readonly canonicalOf: (url: string) => string | null;
  readonly gone: (url: string, sweepId: number) => void;
}

/**
 * New sweeps that are the whole state of their sites: pages of these that they do not have are gone, and what they have holds, whatever its
 * times. What led to one leads to where it was.
 *
 *   sweeps         1 whole   2 whole   3
 *   a page         there     .         there    gone in 2, and back in 3
 *
 * Disk  the URLs of new sweeps that another whole one comes behind.
 */
export class WholeSweeps {
  readonly #input: InputOptions;
  readonly #folder: BuildFiles;
  readonly #indexes: readonly OpenedIndex[];
  readonly #book: Book;
  readonly #all = new Map<number, WholeSweep>();
  /** URLs of stored pages that stand under their canonical URL. */
  readonly #storedOwnUrls: string[] = [];
  #reached = 0;
  #answered: RecordWriter | null = null;
  /** Sweeps whose URLs are on disk. */
  readonly #written: number[] = [];
  /** Whether URLs are kept for the sweeps behind: one sweep has none. */
  readonly #isKept: boolean;

  constructor(input: InputOptions, folder: BuildFiles, indexes: readonly OpenedIndex[], book: Book) {
    this.#input = input;
    this.#folder = folder;
    this.#indexes = indexes;
    this.#book = book;
    this.#isKept = input.isWhole && input.inputs.some(({ sweep }) => sweep !== undefined);
  }

  begin(id: number, name: string): void {
    const { isWhole, wholeSweeps } = this.#input;
    if (isWhole && (wholeSweeps?.includes(name) ?? true)) {
      this.#all.set(id, { id, sites: new Set(), otherUrls: new Set(), isBroken: false });
    }
  }

  has(sweepId: number): boolean {
    return this.#all.has(sweepId);
  }

  /** Sites of which a sweep is the whole state. */
  sitesOf(sweepId: number): ReadonlySet<string> {
    const sweep = this.#all.get(sweepId);
    return sweep === undefined || sweep.isBroken ? new Set() : sweep.sites;
  }

  isBroken(sweepId: number): boolean {
    return this.#all.get(sweepId)?.isBroken === true;
  }

  storedPage({ url, to }: Outcome): void {
    if (this.#input.isWhole && to) this.#storedOwnUrls.push(url);
  }

  /** Before what a sweep brings is noted: those before it have ended. */
  reach(sweepId: number): void {
    if (sweepId === this.#reached) return;
    this.#answered?.close();
    this.#answered = null;
    const ended = this.#all.get(this.#reached);
    if (ended !== undefined) this.#close(ended);
    this.#reached = sweepId;
  }

  /** What a new sweep has an answer of. */
  answered(sweepId: number, url: string, to?: string | null): void {
    const own = this.#all.get(sweepId);
    own?.sites.add(siteOf(url));
    if (to) own?.otherUrls.add(to);
    this.#write(sweepId, url);
    if (to && siteOf(to) === siteOf(url)) this.#write(sweepId, to);
  }

  /** What a new sweep found gone: it says nothing of the rest of its site. */
  notFound(sweepId: number, url: string): void {
    this.#write(sweepId, url);
  }

  /** What a new sweep met and could not read: that says nothing of the pages. */
  unread(sweepId: number, fault: Omit<Fault, 'kind'>): void {
    const own = this.#all.get(sweepId);
    if (own === undefined) return;
    const url = MAY_BE_THERE.has(fault.reason) ? canonicalUrl(fault.url ?? '') : null;
    const canonical = url === null ? null : this.#book.canonicalOf(url);
    for (const met of [url, canonical]) if (met !== null) own.otherUrls.add(met);
    own.isBroken ||= hidesPages(fault);
  }

  #write(sweepId: number, url: string): void {
    if (!this.#isKept) return;
    if (this.#answered === null) {
      this.#answered = answeredInSweep(sweepId).writer(this.#folder);
      this.#written.push(sweepId);
    }
    this.#answered.append(Buffer.from(url));
  }

  #close({ id, sites, otherUrls, isBroken }: WholeSweep): void {
    if (isBroken) return;
    for (const url of this.#urlsBefore(id)) {
      if (!sites.has(siteOf(url)) || otherUrls.has(url)) continue;
      const answer = this.#book.answerOf(url);
      if (answer !== null && (!isCapture(answer.kind) || answer.sweepId >= id)) continue;
      this.#book.gone(url, id);
    }
  }

  *#urlsBefore(sweepId: number): IterableIterator<string> {
    yield* this.#storedOwnUrls;
    for (const index of this.#indexes) yield* answeredUrls(index);
    for (const one of this.#written) {
      if (one === sweepId) continue;
      for (const url of answeredInSweep(one).records(this.#folder)) yield url.toString();
    }
  }
}
