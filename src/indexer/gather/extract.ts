import { InputError } from '../../errors.ts';
import { key53 } from '../../lib/key-table.ts';
import { openSource } from '../../sources/open-source.ts';
import type { Capture, SkipReason, Source } from '../../sources/record.ts';
import { UNDATED_MS } from '../../store/records.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { BuildListener, BuildOptions } from '../build-options.ts';
import { BucketFiles } from '../files/bucket-files.ts';
import { ByteWriter } from '../files/bytes.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import { openPool } from '../files/worker-pool.ts';
import { copySettings } from '../relate/copies.ts';
import { AliasBook } from './alias-book.ts';
import {
  bucketOf,
  type ExtractCapture,
  type ExtractResult,
  type ExtractSettings,
  type ExtractTask,
} from './extract-task.ts';
import { writeGone } from './page-record.ts';

export interface ExtractReport {
  readonly recordCount: number;
  readonly bodyBytes: number;
  readonly bucketCount: number;
  readonly skipped: Partial<Record<SkipReason, number>>;
}

/** A batch goes to a worker when it holds this many bytes of bodies ... */
const BATCH_BYTES = 2 << 20;
/** ... or this many captures. */
const BATCH_CAPTURES = 512;
/** One is read while the next one waits beside it. */
const BATCHES_AT_THREAD = 2;
/** HTTP statuses that say that a page is gone for good: links make no page of it. */
const GONE_STATUSES = new Set([404, 410]);

/**
 * Reads every input, turns captures into records in parallel workers and sends the records to their buckets
 * in the order of the input, whatever the number of workers.
 */
export async function extract(
  options: BuildOptions,
  folder: WorkFolder,
  bucketCount: number,
  listener: BuildListener,
  knownTexts: readonly string[] = [],
): Promise<ExtractReport> {
  const settings: ExtractSettings = {
    bucketCount,
    stopWords: options.stopWords,
    windowWords: options.windowWords,
    anchors: options.bag !== 'content',
    copies: options.copies ? copySettings(options) : null,
    knownTexts,
  };
  const pool = openPool<ExtractTask, ExtractResult>(
    import.meta.url,
    'extract-worker',
    options.workerCount,
    settings,
    BATCHES_AT_THREAD,
  );
  const sink = new RecordSink(options, folder, bucketCount, listener);
  try {
    const inFlight: Promise<ExtractResult>[] = [];
    for await (const batch of batches(options, listener, sink)) {
      const run = pool.run(batch, { transferList: [batch.bodies.buffer] });
      // Awaited in input order below; a failure meanwhile must not count as unhandled.
      run.catch(() => {});
      inFlight.push(run);
      if (inFlight.length > BATCHES_AT_THREAD * options.workerCount) sink.take(await inFlight.shift()!);
    }
    for (const result of inFlight) sink.take(await result);
    return await sink.finish();
  } finally {
    sink.abandon();
    await pool.destroy();
  }
}

/** Reads all inputs and groups their captures; faults go straight to the sink. */
async function* batches(options: BuildOptions, listener: BuildListener, sink: RecordSink) {
  const sources: Source[] = [];
  for (const input of options.inputs) {
    sources.push(
      await openSource(input.path, {
        maxPageBytes: options.maxPageBytes,
        baseUrl: input.baseUrl,
        format: input.format,
      }),
    );
  }
  const totals = sources.map((source) => source.progress.bytesTotal);
  const total = totals.includes(null) ? null : totals.reduce((sum, bytes) => sum! + bytes!, 0);
  let sequence = 0;
  let pending: { capture: Capture; sequence: number }[] = [];
  let pendingBytes = 0;
  const flush = () => {
    const batch = packBatch(pending, pendingBytes);
    pending = [];
    pendingBytes = 0;
    const read = sources.reduce((sum, source) => sum + source.progress.bytesRead, 0);
    listener.stageProgress(total === null ? sequence : read, total);
    return batch;
  };
  for (const source of sources) {
    for await (const item of source.items()) {
      if (item.kind === 'fault') {
        sink.fault(item);
        continue;
      }
      pending.push({ capture: item, sequence: sequence++ });
      pendingBytes += item.body.length;
      if (pendingBytes >= BATCH_BYTES || pending.length >= BATCH_CAPTURES) yield flush();
    }
  }
  if (pending.length > 0) yield flush();
}

/** One buffer for all bodies of a batch: it is handed to the worker, not copied. */
function packBatch(pending: { capture: Capture; sequence: number }[], bytes: number) {
  const bodies = new Uint8Array(bytes);
  let at = 0;
  const captures = pending.map(({ capture, sequence }): ExtractCapture => {
    const { kind: _kind, body, ...head } = capture;
    bodies.set(body, at);
    at += body.length;
    return {
      ...head,
      sequence,
      fetchedAtMs: capture.fetchedAtMs ?? UNDATED_MS,
      start: at - body.length,
      end: at,
    };
  });
  return { captures, bodies };
}

/** Takes results in order: records to their buckets, outcomes to the books. */
class RecordSink {
  readonly #records: BucketFiles;
  readonly #forms: BucketFiles;
  readonly #aliases = new AliasBook();
  readonly #listener: BuildListener;
  readonly #folder: WorkFolder;
  readonly #bucketCount: number;
  readonly #skipped: Partial<Record<SkipReason, number>> = {};
  #recordCount = 0;
  #bodyBytes = 0;

  constructor(options: BuildOptions, folder: WorkFolder, bucketCount: number, listener: BuildListener) {
    const bufferBytes = Math.floor(options.memoryBytes / 16);
    this.#records = new BucketFiles(folder, 'records', bucketCount, bufferBytes);
    this.#forms = new BucketFiles(folder, 'forms', bucketCount, bufferBytes);
    this.#folder = folder;
    this.#bucketCount = bucketCount;
    this.#listener = listener;
  }

  fault(fault: {
    reason: SkipReason;
    url: string | null;
    status?: number;
    fetchedAtMs?: number | null;
    where: string;
    detail: string;
  }): void {
    this.#recordCount++;
    this.#skipped[fault.reason] = (this.#skipped[fault.reason] ?? 0) + 1;
    this.#listener.fault({ kind: 'fault', ...fault });
    const url =
      fault.status !== undefined && GONE_STATUSES.has(fault.status) ? canonicalUrl(fault.url ?? '') : null;
    if (url === null) return;
    this.#aliases.gone(url, fault.fetchedAtMs ?? null);
    const gone = new ByteWriter(256);
    writeGone(gone, url);
    this.#records.append(bucketOf(key53(url), this.#bucketCount), gone.view());
  }

  take(result: ExtractResult): void {
    this.#records.appendAll(result.records, result.buckets, result.ends);
    this.#forms.appendAll(result.forms, result.formBuckets, result.formEnds);
    for (const outcome of result.outcomes) {
      if (outcome.kind === 'skip') {
        if (outcome.reason === 'noindex') {
          this.#aliases.noindex(outcome.url, outcome.sequence, outcome.fetchedAtMs);
        }
        this.fault({ reason: outcome.reason, url: outcome.url, where: outcome.url, detail: outcome.detail });
        continue;
      }
      this.#recordCount++;
      if (outcome.kind === 'page') {
        this.#bodyBytes += outcome.bodyBytes;
        this.#aliases.page(outcome.url, outcome.sequence, outcome.fetchedAtMs, outcome.canonical);
      } else {
        this.#aliases.redirect(outcome.url, outcome.to, outcome.fetchedAtMs);
      }
    }
  }

  async finish(): Promise<ExtractReport> {
    const isEmpty = this.#aliases.captureCount === 0;
    const folded = this.#aliases.save(this.#folder);
    if (isEmpty) throw this.#emptyError(folded);
    await this.#records.close();
    await this.#forms.close();
    return {
      recordCount: this.#recordCount,
      bodyBytes: this.#bodyBytes,
      bucketCount: this.#bucketCount,
      skipped: { ...this.#skipped, ...folded },
    };
  }

  #emptyError(folded: Partial<Record<SkipReason, number>>): InputError {
    const reasons = Object.entries({ ...this.#skipped, ...folded }).map(
      ([reason, count]) => `${reason} ${count}`,
    );
    const met = this.#recordCount === 0 ? '' : `: records passed over: ${this.#recordCount}`;
    const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    return new InputError('AKIN_ERR_INPUT_EMPTY', `the input holds no page${met}${why}`, {
      hint: 'give WARC files, JSONL or a folder with .html files; akin index --help shows each',
    });
  }

  abandon(): void {
    this.#records.abandon();
    this.#forms.abandon();
  }
}
