import { InputError } from '../../../errors.ts';
import { key53 } from '../../../lib/keys/key-table.ts';
import { summed } from '../../../lib/summed.ts';
import { NO_MARKS, type PageMarks } from '../../../page/marks/marks.ts';
import { goneUrl, NOINDEX } from '../../../sources/record/answers.ts';
import { hidesPages } from '../../../sources/record/fault.ts';
import type { CrawlCoverage, Fault, SkipReason } from '../../../sources/record/record.ts';
import { type Coverage, UNDATED_MS } from '../../../store/records.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { divideMemory } from '../../files/budget.ts';
import { BucketFiles } from '../../files/records/bucket-files.ts';
import { ByteWriter } from '../../files/records/bytes.ts';
import { formsOfBucket, linkUrlsOfBucket, recordsOfBucket } from '../../files/records/stage-files.ts';
import type { BuildListener } from '../../files/stage-runner.ts';
import type { BuildFiles } from '../../files/work-folder.ts';
import type { BuildInput, InputOptions } from '../../options/build-options.ts';
import { saveCoverage } from '../records/covered-sites.ts';
import { writeGone } from '../records/page-record.ts';
import { AliasBook } from './alias-book.ts';
import type { ExtractReport, LeftOut, MarkCounts } from './extract-report.ts';
import { bucketOf, type ExtractResult, type Outcome, type PackedRecords } from './extract-task.ts';
import { newSweepName, type OpenedIndex } from './index-input.ts';
import { WholeSweeps } from './whole-sweeps.ts';

interface RecordFault extends Omit<Fault, 'kind'> {
  readonly sweepId: number;
}

/** A fault among the captures of a batch. */
export interface PlacedFault extends RecordFault {
  /** How many of them come before it. */
  readonly place: number;
}

interface NewSweep {
  readonly id: number;
  readonly name: string;
  inputCount: number;
  /** What the crawls among its inputs say. */
  readonly crawls: CrawlCoverage[];
  /** Whether it is not known which pages were left out. */
  hidesPages: boolean;
  recordCount: number;
  readonly skipped: Partial<Record<SkipReason, number>>;
  readonly skippedFiles: Record<string, number>;
}

const MAX_MEMBER_NAMES = 100;

/** Takes results in order: records to their buckets, outcomes to the books. */
/** What to do where all records are passed over for one reason. */
const ALL_OF: Readonly<Partial<Record<SkipReason, string>>> = {
  noindex: 'these pages ask not to be indexed: take <meta name="robots" content="noindex"> out of them',
  unreadable:
    'a line of JSONL is {"url": "https://...", "html" or "text": "..."} (docs/formats/input.md); a file of another form must be whole',
};

export class RecordSink {
  readonly #records: BucketFiles;
  readonly #forms: BucketFiles;
  readonly #linkUrls: BucketFiles;
  readonly #aliases: AliasBook;
  readonly #unknownMembers = new Map<string, number>();
  readonly #listener: BuildListener;
  readonly #folder: BuildFiles;
  readonly #bucketCount: number;
  readonly #indexes: readonly OpenedIndex[];
  readonly #firstNewSweep: number;
  readonly #sweepName: string;
  readonly #mayBeEmpty: boolean;
  readonly #newSweeps: NewSweep[] = [];
  readonly #wholeSweeps: WholeSweeps;
  #answerCount = 0;
  #bodyBytes = 0;
  #droppedLinkCount = 0;
  #hasFeatures = false;
  #hasVectors = false;
  #badFeatures: LeftOut = { recordCount: 0, first: null };
  #badVectors: LeftOut = { recordCount: 0, first: null };
  #badFields: LeftOut = { recordCount: 0, first: null };
  #badDates: LeftOut = { recordCount: 0, first: null };
  readonly #marks: { -readonly [Name in keyof MarkCounts]: number } = {
    recordCount: 0,
    bodyRecordCount: 0,
    ignoreRecordCount: 0,
    weightRecordCount: 0,
  };

  constructor(
    input: InputOptions,
    memoryBytes: number,
    folder: BuildFiles,
    bucketCount: number,
    listener: BuildListener,
    indexes: readonly OpenedIndex[],
  ) {
    const { records, forms, linkUrls } = divideMemory(memoryBytes).extract;
    this.#sweepName = newSweepName(input, indexes);
    this.#mayBeEmpty = input.mayBeEmpty;
    this.#records = new BucketFiles(folder, recordsOfBucket, bucketCount, records);
    this.#forms = new BucketFiles(folder, formsOfBucket, bucketCount, forms);
    this.#linkUrls = new BucketFiles(folder, linkUrlsOfBucket, bucketCount, linkUrls);
    this.#folder = folder;
    this.#bucketCount = bucketCount;
    this.#listener = listener;
    this.#indexes = indexes;
    this.#firstNewSweep = indexes.reduce((sum, { sweeps }) => sum + sweeps.length, 1);
    this.#aliases = new AliasBook(this.#firstNewSweep, (id) => this.#wholeSweeps.has(id));
    this.#wholeSweeps = new WholeSweeps(input, folder, indexes, {
      answerOf: (url) => this.#aliases.answerOf(url),
      canonicalOf: (url) => this.#aliases.canonicalOf(url),
      gone: (url, sweepId) => this.#aliases.gone(url, { sweepId, fetchedAtMs: UNDATED_MS }),
    });
  }

  /** The sweep that an input belongs to: that of the input before where it has the same name. Returns its id. */
  beginInput({ sweep: name = this.#sweepName }: BuildInput): number {
    if (this.#newSweeps.at(-1)?.name !== name) {
      const id = this.#firstNewSweep + this.#newSweeps.length;
      this.#wholeSweeps.begin(id, name);
      this.#newSweeps.push({
        id,
        name,
        inputCount: 0,
        crawls: [],
        hidesPages: false,
        recordCount: 0,
        skipped: {},
        skippedFiles: {},
      });
    }
    const sweep = this.#newSweeps.at(-1)!;
    sweep.inputCount++;
    return sweep.id;
  }

  /** @param covered what the input that was begun last says of its crawls. */
  endInput(covered: readonly CrawlCoverage[]): void {
    this.#newSweeps.at(-1)!.crawls.push(...covered);
  }

  /** Counts the members of a record that were not read; names beyond the first hundred are not kept. */
  #countUnknown(names: readonly string[]): void {
    for (const name of names) {
      const count = this.#unknownMembers.get(name);
      if (count === undefined && this.#unknownMembers.size >= MAX_MEMBER_NAMES) continue;
      this.#unknownMembers.set(name, (count ?? 0) + 1);
    }
  }

  #sweep(id: number): NewSweep {
    return this.#newSweeps[id - this.#firstNewSweep]!;
  }

  fault({ sweepId, ...fault }: RecordFault): void {
    this.#wholeSweeps.reach(sweepId);
    const sweep = this.#sweep(sweepId);
    sweep.recordCount++;
    if (fault.isAsBefore && this.#isMetAgain(fault, sweep)) return;
    sweep.skipped[fault.reason] = (sweep.skipped[fault.reason] ?? 0) + 1;
    const { extension } = fault;
    if (extension !== undefined) sweep.skippedFiles[extension] = (sweep.skippedFiles[extension] ?? 0) + 1;
    this.#listener.fault({ kind: 'fault', ...fault });
    sweep.hidesPages ||= hidesPages(fault);
    const url = goneUrl(fault);
    if (url === null) {
      this.#wholeSweeps.unread(sweepId, fault);
      return;
    }
    this.#answerCount++;
    this.#wholeSweeps.notFound(sweepId, url);
    this.#aliases.gone(url, { sweepId, fetchedAtMs: fault.fetchedAtMs ?? UNDATED_MS });
  }

  /** Takes the answer that a URL had before as the one of a sweep; false where it had none. */
  #isMetAgain(fault: Omit<Fault, 'kind'>, { id, skipped }: NewSweep): boolean {
    const url = canonicalUrl(fault.url ?? '');
    const { fetchedAtMs, refersToMs } = fault;
    const visit = {
      sweepId: id,
      fetchedAtMs: fetchedAtMs ?? UNDATED_MS,
      refersToMs: refersToMs ?? UNDATED_MS,
    };
    const met = url === null ? null : this.#aliases.metAgain(url, visit);
    if (url === null || met === null) return false;
    this.#answerCount++;
    if (met.kind === NOINDEX) skipped.noindex = (skipped.noindex ?? 0) + 1;
    this.#wholeSweeps.answered(id, url, met.canonical);
    return true;
  }

  /** Of what an index gives back: it was counted when it was new. */
  storedFault(fault: Omit<RecordFault, 'sweepId'>): void {
    this.#listener.fault({ kind: 'fault', ...fault });
  }

  /** Takes what became of a batch, and the faults met in it, in their order. */
  take(
    { isStored, outcomes, records, forms, linkUrls }: ExtractResult,
    faults: readonly PlacedFault[],
  ): void {
    const append = (files: BucketFiles, { bytes, buckets, ends }: PackedRecords) => {
      files.appendAll(bytes, buckets, ends);
      // Given back at once: the collector would begin for it.
      bytes.buffer.transfer(0);
    };
    append(this.#records, records);
    append(this.#forms, forms);
    append(this.#linkUrls, linkUrls);
    let next = 0;
    for (const [place, outcome] of outcomes.entries()) {
      while (next < faults.length && faults[next]!.place <= place) this.#placedFault(faults[next++]!);
      if (outcome === null) continue;
      if (outcome.kind === 'fault') {
        this.fault(outcome);
        continue;
      }
      if (!isStored) this.#wholeSweeps.reach(outcome.sweepId);
      this.#note(outcome);
      this.#hasFeatures ||= outcome.hasFeatures === true;
      this.#hasVectors ||= outcome.hasVectors === true;
      // Of what an index gives back, too: what is declared may have changed.
      this.#badFields = leftOut(this.#badFields, outcome.url, outcome.badFields);
      if (!isStored) this.#count(outcome);
      else if (outcome.kind === 'page') this.#wholeSweeps.storedPage(outcome);
    }
    while (next < faults.length) this.#placedFault(faults[next++]!);
  }

  #placedFault({ place: _place, ...fault }: PlacedFault): void {
    this.fault(fault);
  }

  /** Tells the book of aliases. */
  #note(outcome: Outcome): void {
    const { kind, url, to } = outcome;
    if (kind === 'page') this.#aliases.page(url, outcome, to ?? null);
    else if (kind === 'past') this.#aliases.past(url, outcome);
    else if (kind === 'noindex') this.#aliases.noindex(url, outcome);
    else if (kind === 'redirect') this.#aliases.redirect(url, to!, outcome);
    else if (kind === 'gone') this.#aliases.gone(url, outcome);
    for (const name of outcome.names ?? []) this.#aliases.name(name, url, outcome);
  }

  /** Counts what a new sweep brings. */
  #count(outcome: Outcome): void {
    const { kind, url, to, sweepId, bodyBytes, droppedLinkCount, reason, detail } = outcome;
    if (outcome.unknownMembers !== undefined) this.#countUnknown(outcome.unknownMembers);
    this.#badFeatures = leftOut(this.#badFeatures, url, outcome.badFeatures);
    this.#badVectors = leftOut(this.#badVectors, url, outcome.badVectors);
    this.#badDates = leftOut(this.#badDates, url, outcome.badDates);
    if (kind === 'skip' || kind === 'noindex') {
      const why = kind === 'skip' ? reason! : 'noindex';
      const what = detail ?? 'the page asks not to be indexed';
      this.fault({ reason: why, url, where: url, detail: what, sweepId });
      if (kind === 'skip') return;
    } else {
      this.#sweep(sweepId).recordCount++;
      this.#bodyBytes += bodyBytes ?? 0;
      this.#droppedLinkCount += droppedLinkCount ?? 0;
    }
    this.#answerCount++;
    if (kind === 'page') this.#countMarks(outcome.marks);
    this.#wholeSweeps.answered(sweepId, url, kind === 'page' ? to : null);
  }

  #countMarks(marks: PageMarks = NO_MARKS): void {
    this.#marks.recordCount++;
    this.#marks.bodyRecordCount += Number(marks.hasBody);
    this.#marks.ignoreRecordCount += Number(marks.hasIgnored);
    this.#marks.weightRecordCount += Number(marks.hasWeights);
  }

  async finish(): Promise<ExtractReport> {
    this.#wholeSweeps.reach(Number.POSITIVE_INFINITY);
    const isEmpty =
      this.#aliases.captureCount === 0 || (this.#newSweeps.length > 0 && this.#answerCount === 0);
    // A site stays covered: a later build must not bring back what links to it name.
    const stored = this.#indexes.flatMap((index) => index.sweeps);
    const coveredSites = new Set(stored.flatMap(({ covered }) => covered.sites));
    for (const { id } of this.#newSweeps)
      for (const site of this.#wholeSweeps.sitesOf(id)) coveredSites.add(site);
    if (coveredSites.size > 0) saveCoverage(this.#folder, coveredSites);
    const folded = this.#aliases.save(this.#folder);
    const gone = new ByteWriter(256);
    for (const url of this.#aliases.goneUrls()) {
      gone.clear();
      writeGone(gone, url);
      this.#records.append(bucketOf(key53(url), this.#bucketCount), gone.view());
    }
    if (isEmpty && !this.#mayBeEmpty) throw this.#emptyError([...folded.values()]);
    for (const files of [this.#records, this.#forms, this.#linkUrls]) await files.close();
    const sweeps = this.#newSweeps.map((sweep) => ({
      id: sweep.id,
      name: sweep.name,
      recordCount: sweep.recordCount,
      skipped: { ...sweep.skipped, ...folded.get(sweep.id) },
      skippedFiles: sweep.skippedFiles,
      startedAtMs: this.#folder.startedAtMs,
      covered: this.#coverage(sweep),
    }));
    return {
      recordCount: sweeps.reduce((sum, { recordCount }) => sum + recordCount, 0),
      bodyBytes: this.#bodyBytes,
      droppedLinkCount: this.#droppedLinkCount,
      hasFeatures: this.#hasFeatures,
      badFeatures: this.#badFeatures,
      hasVectors: this.#hasVectors,
      badVectors: this.#badVectors,
      badFields: this.#badFields,
      badDates: this.#badDates,
      marks: this.#marks,
      farApart: { ...this.#aliases.farApart },
      unknownMembers: Object.fromEntries(this.#unknownMembers),
      bucketCount: this.#bucketCount,
      brokenSweeps: sweeps.filter(({ id }) => this.#wholeSweeps.isBroken(id)).map(({ name }) => name),
      skipped: summed(sweeps.map(({ skipped }) => skipped)),
      skippedFiles: summed(sweeps.map(({ skippedFiles }) => skippedFiles)),
      sweeps: [...stored, ...sweeps],
      firstNewSweep: this.#firstNewSweep,
    };
  }

  /** A crawl counts where all of its files are there and can be read, by what it said last. */
  #coverage({ id, inputCount, crawls, hidesPages }: NewSweep): Coverage {
    const inOrder = crawls.toSorted((a, b) => a.fileCount - b.fileCount);
    const last = [...new Map(inOrder.map((said, i) => [said.crawl || i, said])).values()];
    const fileCount = last.reduce((sum, said) => sum + said.fileCount, 0);
    const hosts = fileCount > inputCount || hidesPages ? [] : last.flatMap((said) => said.hosts);
    return { sites: [...this.#wholeSweeps.sitesOf(id)].sort(), hosts: [...new Set(hosts)].sort() };
  }

  #emptyError(folded: readonly Partial<Record<SkipReason, number>>[]): InputError {
    const skipped = summed([...this.#newSweeps.map((sweep) => sweep.skipped), ...folded]);
    const recordCount = this.#newSweeps.reduce((sum, sweep) => sum + sweep.recordCount, 0);
    const reasons = Object.entries(skipped).map(([reason, count]) => `${reason} ${count}`);
    const met = recordCount === 0 ? '' : `: records passed over: ${recordCount}`;
    const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const [reason] = Object.entries(skipped).find(([, count]) => count === recordCount) ?? [];
    const hint =
      ALL_OF[reason as SkipReason] ??
      'give WARC files, JSONL or a folder with .html files; akin index --help shows each';
    return new InputError('AKIN_ERR_INPUT_EMPTY', `the input holds no page${met}${why}`, { hint });
  }

  abandon(): void {
    for (const files of [this.#records, this.#forms, this.#linkUrls]) files.abandon();
  }
}

/** With what is wrong with one more record; nothing may be. */
function leftOut(before: LeftOut, url: string, fault: string | null | undefined): LeftOut {
  if (fault === null || fault === undefined) return before;
  return { recordCount: before.recordCount + 1, first: before.first ?? `${url}: ${fault}` };
}
