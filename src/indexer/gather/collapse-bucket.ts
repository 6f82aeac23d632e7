import { statSync } from 'node:fs';
import { KeySum } from '../../lib/key-sum.ts';
import { key53 } from '../../lib/key-table.ts';
import { bucketName } from '../files/bucket-files.ts';
import { ByteReader, ByteWriter } from '../files/bytes.ts';
import { RecordWriter, readRecords } from '../files/record-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { Aliases } from './aliases.ts';
import { writeCollapsedHead } from './collapsed-record.ts';
import { CountsBuffer } from './counts-buffer.ts';
import { GatheredRecords, type RecordsOfUrl } from './gathered-records.ts';
import { FRAGMENT, GONE, PAGE, titleOfPage } from './page-record.ts';

/** What a record takes in memory while its bucket is collapsed, as a multiple of its bytes on disk. */
const MEMORY_FACTOR = 2;
/** Records of one pass, whatever the budget: a record is some 70 bytes at least, and a map of their URLs ends at 2^24. */
const MAX_PASS_BYTES = 2 ** 29;

// They stay from bucket to bucket: room for new ones costs more than what is done with it.
const gathered = new GatheredRecords();
const counts = new CountsBuffer();
const words = new KeySum();

export interface CollapsedBucket {
  readonly urlCount: number;
  /** Files of the folder, each sorted by URL. */
  readonly runs: readonly string[];
}

/** Leaves the records of aliases, each under the URL that speaks for it, in a file of the bucket they stand in. */
export function redirectRecords(folder: WorkFiles, aliases: Aliases, bucket: number): void {
  const redirected = new RecordWriter(folder.file(bucketName('redirected', bucket)));
  const out = new ByteWriter();
  for (const record of readRecords(folder.file(bucketName('records', bucket)))) {
    const from = new ByteReader(record);
    const kind = from.u8();
    const url = aliases.target(from.ascii());
    if (url === undefined || kind === GONE) continue;
    out.clear();
    out.u8(kind);
    out.text(url);
    out.raw(record.subarray(from.at));
    redirected.append(out.view());
  }
  redirected.end();
}

/**
 * Collapses one bucket: a run for each pass over it, not yet on the disk. A bucket that would not fit the budget is
 * read several times, each time for a share of its URLs.
 */
export function collapseBucket(
  folder: WorkFiles,
  aliases: Aliases,
  bucket: number,
  budgetBytes: number,
): CollapsedBucket {
  const records = folder.file(bucketName('records', bucket));
  const moved = aliases.size > 0 ? folder.file(bucketName('moved', bucket)) : null;
  const sizeBytes = statSync(records).size + (moved === null ? 0 : statSync(moved).size);
  const passBytes = Math.min(budgetBytes / MEMORY_FACTOR, MAX_PASS_BYTES);
  const passes = Math.max(1, Math.ceil(sizeBytes / passBytes));
  const runs: string[] = [];
  let urlCount = 0;
  for (let pass = 0; pass < passes; pass++) {
    const mine = (url: string) => passes === 1 || Math.floor(key53(url) / 2 ** 32) % passes === pass;
    gathered.clear();
    gathered.read(records, (url) => mine(url) && aliases.target(url) === undefined);
    if (moved !== null) gathered.read(moved, mine);
    const run = `${bucketName('run', bucket)}-${pass}`;
    urlCount += writeRun(folder.file(run), aliases);
    runs.push(run);
  }
  return { urlCount, runs };
}

function writeRun(path: string, aliases: Aliases): number {
  const run = new RecordWriter(path);
  const out = new ByteWriter();
  for (const records of gathered.byUrl()) {
    const { url } = records;
    const { page, isGone } = speaker(records, aliases);
    const pageTitle = page === null ? '' : titleOfPage(page);
    const anchorTitle = addFragments(records, aliases, pageTitle === '');
    const { keys, sums: tfs } = words.take();
    if (page === null && (isGone || keys.length === 0)) continue;
    out.clear();
    writeCollapsedHead(out, { url, title: pageTitle || anchorTitle, anchor: { keys, tfs }, page });
    if (page !== null) out.raw(page);
    run.append(out.view());
  }
  run.end();
  return run.recordCount;
}

/** The record of the capture that speaks, if any, and whether the URL is known to be gone. */
function speaker({ starts, ends }: RecordsOfUrl, aliases: Aliases): { page: Buffer | null; isGone: boolean } {
  const from = new ByteReader(gathered.bytes);
  let page: Buffer | null = null;
  let isGone = false;
  for (let i = 0; i < starts.length; i++) {
    from.at = starts[i]!;
    const kind = from.u8();
    if (kind === GONE) isGone = true;
    if (kind !== PAGE) continue;
    from.skip(from.varint());
    if (!aliases.isSilent(from.varint())) page = gathered.bytes.subarray(starts[i]!, ends[i]!);
  }
  return { page, isGone };
}

/** Adds the words of all anchor windows; tells the most frequent anchor text where it is asked for. */
function addFragments({ starts }: RecordsOfUrl, aliases: Aliases, wantsText: boolean): string {
  const from = new ByteReader(gathered.bytes);
  const texts = new Map<string, number>();
  for (const start of starts) {
    from.at = start;
    if (from.u8() !== FRAGMENT) continue;
    from.skip(from.varint());
    if (aliases.isSilent(from.varint())) continue;
    if (wantsText) {
      const text = from.text();
      if (text !== '') texts.set(text, (texts.get(text) ?? 0) + 1);
    } else {
      from.skip(from.varint());
    }
    counts.read(from);
    for (let i = 0; i < counts.length; i++) words.add(counts.keys[i]!, counts.tfs[i]!);
  }
  return mostFrequent(texts);
}

/** The text with the highest count, of equals the first in string order; '' where there is none. */
function mostFrequent(texts: Map<string, number>): string {
  let best = '';
  let bestCount = 0;
  for (const [text, count] of texts) {
    if (count > bestCount || (count === bestCount && text < best)) {
      best = text;
      bestCount = count;
    }
  }
  return best;
}
