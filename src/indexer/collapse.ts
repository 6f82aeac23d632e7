import { statSync } from 'node:fs';
import { key53 } from '../lib/key-table.ts';
import { Aliases } from './alias-book.ts';
import { BucketFiles, bucketName } from './bucket-files.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { bucketOf } from './extract-task.ts';
import {
  type Counts,
  FRAGMENT,
  GONE,
  PAGE,
  type PageRecord,
  readFragment,
  readPage,
  writeCollapsed,
  writeFragment,
  writePage,
} from './page-record.ts';
import { RecordWriter, readRecords } from './record-file.ts';
import type { WorkFolder } from './work-folder.ts';

/** All that one bucket knows of a URL while it is being collapsed. */
interface Gathered {
  page: PageRecord | null;
  gone: boolean;
  readonly words: Map<number, number>;
  readonly anchorTexts: Map<string, number>;
}

/** What a record takes in memory while its bucket is collapsed, as a multiple of its bytes on disk. */
const MEMORY_FACTOR = 3;

/**
 * Collapses the records of each bucket to one record a URL, sorted by URL: runs that `mergeRuns` joins.
 * Records of an alias first move to the bucket of the URL that speaks for it. A bucket that would not fit
 * the budget is read several times, each time for a share of its URLs.
 *
 * Source  Haveliwala, Gionis, Indyk 2000, section 2.2 (bag fragments, divide and collapse).
 */
export function collapse(
  folder: WorkFolder,
  bucketCount: number,
  budgetBytes: number,
  onBucket: (done: number) => void,
): { urlCount: number; runs: string[] } {
  const aliases = new Aliases(folder);
  if (aliases.size > 0) moveAliases(folder, bucketCount, aliases);
  const runs: string[] = [];
  let urlCount = 0;
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const records = folder.file(bucketName('records', bucket));
    const moved = folder.file(bucketName('moved', bucket));
    const sizeBytes = statSync(records).size + (aliases.size > 0 ? statSync(moved).size : 0);
    const passes = Math.max(1, Math.ceil((sizeBytes * MEMORY_FACTOR) / budgetBytes));
    for (let pass = 0; pass < passes; pass++) {
      const urls = new Map<string, Gathered>();
      const mine = (key: number) => passes === 1 || Math.floor(key / 2 ** 32) % passes === pass;
      gather(records, aliases, urls, (key) => mine(key) && aliases.target(key) === undefined);
      if (aliases.size > 0) gather(moved, aliases, urls, mine);
      const run = `${bucketName('run', bucket)}-${pass}`;
      urlCount += writeRun(folder.file(run), urls);
      runs.push(run);
    }
    onBucket(bucket + 1);
  }
  return { urlCount, runs };
}

/** Rewrites each record of an alias under the URL that speaks for it. */
function moveAliases(folder: WorkFolder, bucketCount: number, aliases: Aliases): void {
  const moved = new BucketFiles(folder, 'moved', bucketCount, 1 << 24);
  const out = new ByteWriter();
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const bytes of readRecords(folder.file(bucketName('records', bucket)))) {
      const from = new ByteReader(bytes);
      const kind = from.u8();
      const url = aliases.target(key53(from.text()));
      if (url === undefined || kind === GONE) continue;
      out.clear();
      if (kind === PAGE) writePage(out, readPage(url, from));
      else writeFragment(out, readFragment(url, from));
      moved.append(bucketOf(key53(url), bucketCount), out.view());
    }
  }
  moved.close();
}

function gather(
  path: string,
  aliases: Aliases,
  urls: Map<string, Gathered>,
  takes: (key: number) => boolean,
): void {
  for (const bytes of readRecords(path)) {
    const from = new ByteReader(bytes);
    const kind = from.u8();
    const url = from.text();
    if (!takes(key53(url))) continue;
    let entry = urls.get(url);
    if (entry === undefined) {
      entry = { page: null, gone: false, words: new Map(), anchorTexts: new Map() };
      urls.set(url, entry);
    }
    if (kind === GONE) {
      entry.gone = true;
    } else if (kind === PAGE) {
      const page = readPage(url, from);
      if (!aliases.isSilent(page.sequence)) entry.page = { ...page, copy: new Uint8Array(page.copy) };
    } else if (kind === FRAGMENT) {
      const fragment = readFragment(url, from);
      if (aliases.isSilent(fragment.sequence)) continue;
      credit(entry, fragment.anchorText, fragment.words);
    }
  }
}

function credit(entry: Gathered, anchorText: string, words: Counts): void {
  if (anchorText !== '') entry.anchorTexts.set(anchorText, (entry.anchorTexts.get(anchorText) ?? 0) + 1);
  for (let i = 0; i < words.keys.length; i++) {
    const key = words.keys[i]!;
    entry.words.set(key, (entry.words.get(key) ?? 0) + words.tfs[i]!);
  }
}

function writeRun(path: string, urls: Map<string, Gathered>): number {
  const run = new RecordWriter(path);
  const out = new ByteWriter();
  for (const url of [...urls.keys()].sort()) {
    const { page, gone, words, anchorTexts } = urls.get(url)!;
    if (page === null && (gone || words.size === 0)) continue;
    const keys = Float64Array.from(words.keys()).sort();
    out.clear();
    writeCollapsed(out, {
      url,
      page,
      title: page?.title || mostFrequent(anchorTexts),
      anchor: { keys, tfs: Uint32Array.from(keys, (key) => words.get(key)!) },
    });
    run.append(out.view());
  }
  run.close();
  return run.recordCount;
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
