import { key53 } from '../../../lib/keys/key-table.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import type { RecordWriter } from '../../files/records/record-file.ts';
import {
  linkUrlRunOfBucket,
  linkUrlsOfBucket,
  movedOfBucket,
  pageRunOfBucket,
  recordsOfBucket,
  redirectedOfBucket,
} from '../../files/records/stage-files.ts';
import { diskOf, type WorkFiles } from '../../files/work-folder.ts';
import { Aliases, ERASES, FOLDED, MET_AGAIN, PAST, SUPERSEDED } from '../records/answers/aliases.ts';
import { StoredVisits } from '../records/answers/later-visits.ts';
import type { CapturesOfUrl } from '../records/collapsed-record.ts';
import { loadCoverage } from '../records/covered-sites.ts';
import { GatheredRecords, type RecordsOfUrl } from '../records/gathered-records.ts';
import {
  FRAGMENT_RECORD,
  GONE_RECORD,
  NOINDEX_RECORD,
  PAGE_RECORD,
  readNoindex,
  readPageHead,
  readState,
  skipText,
  writeUnderUrl,
} from '../records/page-record.ts';
import { CollapsedUrl } from './collapsed-url.ts';
import { type PastCapture, PastCaptures } from './past-captures.ts';
import { UrlStates } from './url-states.ts';

/** What a record takes in memory while its bucket is collapsed, as a multiple of its bytes on disk. */
const MEMORY_FACTOR = 2;
/** Records of one pass, whatever the budget: a record is some 70 bytes at least, and a map of their URLs ends at 2^24. */
const MAX_PASS_BYTES = 2 ** 29;

export interface CollapsedBucket {
  readonly urlCount: number;
  /** Files of the folder, each sorted by URL: pages, and the URLs that links lead to. */
  readonly runs: readonly string[];
  readonly linkUrlRun: string;
}

/** `redirect` first, for every bucket, where there are aliases; then `collapse`. */
export type CollapseStep = { readonly step: 'redirect' | 'collapse'; readonly bucket: number };

/** Collapses one bucket of a folder after the other. One serves a thread. */
export class Collapser {
  readonly #folder: WorkFiles;
  readonly #budgetBytes: number;
  readonly #aliases: Aliases;
  readonly #visits: StoredVisits;
  /** URLs that are covered have a page only where they were read. */
  readonly #isCovered: (url: string) => boolean;
  /** Whether the windows of a capture count. */
  readonly #counts: (sequence: number) => boolean;
  // They stay from bucket to bucket: room for new ones costs more than what is done with it.
  readonly #gathered = new GatheredRecords();
  readonly #collapsed = new CollapsedUrl();

  constructor(folder: WorkFiles, budgetBytes: number) {
    this.#folder = folder;
    this.#budgetBytes = budgetBytes;
    this.#aliases = new Aliases(folder);
    this.#visits = new StoredVisits(folder);
    this.#isCovered = loadCoverage(folder);
    this.#counts = (sequence) => (this.#aliases.flagsOf(sequence) & SUPERSEDED) === 0;
  }

  take({ step, bucket }: CollapseStep): CollapsedBucket | null {
    if (step === 'collapse') return this.collapse(bucket);
    this.#redirect(bucket);
    return null;
  }

  /**
   * Leaves the records of aliases, each under the URL that speaks for it, in a file of the bucket they stand in. Past
   * captures that spoke for their own URL stay where they are; that a URL is gone is said of itself alone.
   */
  #redirect(bucket: number): void {
    const aliases = this.#aliases;
    const redirected = redirectedOfBucket(bucket).writer(this.#folder);
    const out = new ByteWriter();
    for (const record of recordsOfBucket(bucket).records(this.#folder)) {
      const from = new ByteReader(record);
      const kind = from.u8();
      const ownUrl = from.ascii();
      const url = aliases.target(ownUrl);
      if (url === undefined || kind === GONE_RECORD) continue;
      if (kind === PAGE_RECORD && !isMoved(record, aliases)) continue;
      out.clear();
      writeUnderUrl(out, record, url);
      redirected.append(out.view());
    }
    redirected.end();
  }

  /**
   * A run for each pass over the bucket, not yet on the disk. A bucket that would not fit the budget is read several times,
   * each time for a share of its URLs.
   */
  collapse(bucket: number): CollapsedBucket {
    const folder = this.#folder;
    const disk = diskOf(folder);
    const gathered = this.#gathered;
    const records = recordsOfBucket(bucket).path(folder);
    const moved = this.#aliases.size > 0 ? movedOfBucket(bucket).path(folder) : null;
    const sizeBytes = disk.sizeAt(records)! + (moved === null ? 0 : disk.sizeAt(moved)!);
    const passBytes = Math.min(this.#budgetBytes / MEMORY_FACTOR, MAX_PASS_BYTES);
    const passes = Math.max(1, Math.ceil(sizeBytes / passBytes));
    const runs: string[] = [];
    let urlCount = 0;
    for (let pass = 0; pass < passes; pass++) {
      const mine = (url: string) => passes === 1 || Math.floor(key53(url) / 2 ** 32) % passes === pass;
      gathered.clear();
      gathered.read(disk, records, mine);
      if (moved !== null) gathered.read(disk, moved, mine);
      const run = pageRunOfBucket(bucket, pass);
      urlCount += this.#writeRun(run.writer(folder));
      runs.push(run.name);
    }
    return { urlCount, runs, linkUrlRun: writeLinkUrls(folder, bucket) };
  }

  #writeRun(run: RecordWriter): number {
    const aliases = this.#aliases;
    const collapsed = this.#collapsed;
    const out = new ByteWriter();
    for (const records of this.#gathered.byUrl()) {
      const { url } = records;
      const isAlias = aliases.target(url) !== undefined;
      const { page, past, folded, isAbsent } = this.#capturesOf(records, isAlias);
      collapsed.begin({ page, past, folded });
      if (!isAlias) this.#addFragments(records);
      out.clear();
      if (!collapsed.write(out, url, isAbsent || this.#isCovered(url))) continue;
      run.append(out.view());
    }
    run.end();
    return run.recordCount;
  }

  /** The captures of a URL, and whether it is gone or asks not to be indexed. */
  #capturesOf(
    { url, starts, ends }: RecordsOfUrl,
    isAlias: boolean,
  ): CapturesOfUrl & { readonly isAbsent: boolean } {
    const aliases = this.#aliases;
    const { bytes } = this.#gathered;
    const from = new ByteReader(bytes);
    const captures: PastCapture[] = [];
    const past = new PastCaptures(url);
    let isAbsent = false;
    for (let i = 0; i < starts.length; i++) {
      from.at = starts[i]!;
      const kind = from.u8();
      if (kind === FRAGMENT_RECORD) continue;
      from.at = starts[i]!;
      if (kind === GONE_RECORD) {
        isAbsent = true;
        continue;
      }
      if (kind === NOINDEX_RECORD) {
        const { ownUrl, sequence } = readNoindex(from);
        const flags = aliases.flagsOf(sequence);
        if ((flags & ERASES) !== 0) past.erase({ ownUrl, sequence });
        if (ownUrl !== '' || (flags & SUPERSEDED) !== 0) continue;
        isAbsent = true;
        past.hide();
        continue;
      }
      const head = readPageHead(from);
      const record = bytes.subarray(starts[i]!, ends[i]!);
      // What else an alias has was moved to the URL that speaks for it.
      if (!isAlias || !isMoved(record, aliases)) captures.push({ ...head, record });
    }
    return { ...this.#visitsOf(captures, past), isAbsent };
  }

  #visitsOf(captures: readonly PastCapture[], past: PastCaptures): CapturesOfUrl {
    let page: PastCapture | null = null;
    const folded: Uint8Array[] = [];
    const flagsOf = ({ sequence }: PastCapture) => this.#aliases.flagsOf(sequence);
    const states = new UrlStates(captures.filter((one) => !isDropped(flagsOf(one)) && !past.isErased(one)));
    for (const capture of captures) {
      const flags = flagsOf(capture);
      const later = (flags & MET_AGAIN) === 0 ? [] : [...this.#visits.of(capture.sequence)];
      const isReplaced = (flags & (SUPERSEDED | PAST | FOLDED)) === SUPERSEDED;
      // Another capture took the place of the last in its sweep.
      if (isReplaced && later.pop() === undefined) continue;
      const visits = [capture, ...later.map((visit) => states.met(capture, visit))];
      const last = isReplaced ? null : visits.findLast(({ sequence }) => sequence === capture.sequence)!;
      for (const visit of visits) if (visit !== last) past.add(visit);
      if (last === null) continue;
      if ((flags & SUPERSEDED) === 0) page = last;
      else if ((flags & FOLDED) !== 0) {
        folded.push(last.record);
        past.addFolded(last);
      } else past.add(last);
    }
    return { page: page?.record ?? null, past: past.kept(page?.sweepId ?? -1), folded };
  }

  /** Adds the anchor windows of captures that count. */
  #addFragments({ starts }: RecordsOfUrl): void {
    const from = new ByteReader(this.#gathered.bytes);
    for (const start of starts) {
      from.at = start;
      if (from.u8() !== FRAGMENT_RECORD) continue;
      skipText(from);
      this.#collapsed.addWindow(from, this.#counts);
    }
  }

  close(): void {
    this.#aliases.close();
  }
}

function isMoved(page: Uint8Array, aliases: Aliases): boolean {
  const flags = flagsOfPage(page, aliases);
  if ((flags & SUPERSEDED) === 0 || (flags & FOLDED) !== 0) return true;
  return !isDropped(flags) && readState(new ByteReader(page)).canonical !== '';
}

/** Whether nothing stays of a capture. One whose place another took in the sweep that had met it again is past as of the sweeps before. */
function isDropped(flags: number): boolean {
  return (flags & (SUPERSEDED | PAST | FOLDED | MET_AGAIN)) === SUPERSEDED;
}

function flagsOfPage(page: Uint8Array, aliases: Aliases): number {
  return aliases.flagsOf(readPageHead(new ByteReader(page)).sequence);
}

/** The URLs of one bucket that links lead to, each once, in order. */
function writeLinkUrls(folder: WorkFiles, bucket: number): string {
  const file = linkUrlRunOfBucket(bucket);
  const urls = new Set<string>();
  for (const record of linkUrlsOfBucket(bucket).records(folder)) {
    urls.add(new ByteReader(record).ascii());
  }
  const run = file.writer(folder);
  const out = new ByteWriter();
  for (const url of [...urls].sort()) {
    out.clear();
    out.text(url);
    run.append(out.view());
  }
  run.end();
  return file.name;
}
