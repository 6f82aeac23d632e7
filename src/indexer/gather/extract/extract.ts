import { statSync } from 'node:fs';
import { openSource } from '../../../sources/open-source.ts';
import type { Source } from '../../../sources/record/record.ts';
import { openRecords } from '../../../sources/records.ts';
import type { BuildListener, Stages } from '../../files/stage-runner.ts';
import { endIdleThreads, ThreadEndError } from '../../files/threads/thread.ts';
import { ThreadPool } from '../../files/threads/thread-pool.ts';
import type {
  BuildTask,
  CopyOptions,
  DisplayOptions,
  InputOptions,
  ReadingOptions,
} from '../../options/build-options.ts';
import { inputBytes } from '../../options/input-bytes.ts';
import type { ExtractReport } from './extract-report.ts';
import {
  type ExtractResult,
  type ExtractSettings,
  type ExtractTask,
  readingSettings,
  type StoredBatch,
} from './extract-task.ts';
import { OwnThread } from './extractor.ts';
import {
  isIndexInput,
  type OpenedIndex,
  openIndexes,
  storedBatches,
  storedIndexes,
  storedPieces,
} from './index-input.ts';
import {
  batchBytes,
  batchCount,
  batchPieces,
  isRead,
  isTakenAlone,
  LineRooms,
  packTask,
  type ReadBatch,
  readBatches,
} from './read-batch.ts';
import { type PlacedFault, RecordSink } from './record-sink.ts';

/** One is read while the next one waits beside it. */
const BATCHES_AT_THREAD = 2;
/** To start a thread takes about as long as to extract this many bytes. */
const THREAD_WORTH_BYTES = 1 << 20;
/** What one more thread compiles and learns for itself takes as much of a processor as to extract this many bytes. */
const ONE_MORE_WORTH_BYTES = 96 << 20;

export type ExtractOptions = ReadingOptions &
  CopyOptions &
  Pick<DisplayOptions, 'fields'> &
  Pick<BuildTask, 'listsOnly'>;

/**
 * Reads every input, turns captures into records in parallel workers and sends the records to their buckets
 * in the order of the input, whatever the number of workers. Indexes come first; what they hold is no news.
 */
export async function extract(
  input: InputOptions,
  options: ExtractOptions,
  { folder, resources, listener }: Stages,
  bucketCount: number,
  oneMoreWorthBytes = ONE_MORE_WORTH_BYTES,
): Promise<ExtractReport> {
  const { memoryBytes, workerCount } = resources;
  const indexes = openIndexes(input, options);
  const settings = { ...readingSettings(options), bucketCount, indexes: storedIndexes(indexes) };
  const pool = openPool(settings, fileBytes(input.inputs), workerCount);
  const wholeBytes = inputBytes(input.inputs);
  let readBytes = 0;
  let hasGrown = false;
  const rooms = new LineRooms();
  const sink = new RecordSink(input, memoryBytes, folder, bucketCount, listener, indexes);
  try {
    const inFlight: { task: ReadTask; result: Promise<ExtractResult>; faults: readonly PlacedFault[] }[] = [];
    const takeFirst = async () => {
      const { task, result, faults } = inFlight.shift()!;
      try {
        sink.take(await result, faults);
      } catch (error) {
        if (!(error instanceof ThreadEndError)) throw error;
        const pieces = isRead(task) ? batchPieces(task) : storedPieces(indexes[task.index]!, task);
        await takeOneByOne(pieces, pool, sink);
        for (const { place: _place, ...fault } of faults) sink.fault(fault);
      }
      if (task.what === 'lines') rooms.give(task);
    };
    const reading = { maxPageBytes: options.maxPageBytes, rooms };
    for await (const { task, faults } of tasks(input.inputs, reading, indexes, listener, sink)) {
      if (isRead(task)) readBytes += batchBytes(task);
      // Where the whole is not known as much is expected to come as was there.
      const expectedBytes = wholeBytes ?? 2 * readBytes;
      pool.usedCount = Math.max(1, Math.floor(expectedBytes / oneMoreWorthBytes));
      const isAlone = isRead(task) && isTakenAlone(task, resources);
      hasGrown ||= isAlone;
      while (isAlone && inFlight.length > 0) await takeFirst();
      const result = pool.run(task);
      // Awaited in input order below; a failure meanwhile must not count as unhandled.
      result.catch(() => {});
      inFlight.push({ task, result, faults });
      if (isAlone || inFlight.length > BATCHES_AT_THREAD * workerCount) await takeFirst();
    }
    while (inFlight.length > 0) await takeFirst();
    return await sink.finish();
  } finally {
    sink.abandon();
    await pool.close();
    // What a kernel has taken it keeps as long as its thread lives.
    if (hasGrown) await endIdleThreads();
    for (const { reader } of indexes) reader.close();
  }
}

function openPool(settings: ExtractSettings, inputBytes: number, workerCount: number): ExtractPool {
  if (inputBytes <= THREAD_WORTH_BYTES) return new OwnThread(settings, packTask);
  const url = new URL('./extract-worker', import.meta.url);
  return new ThreadPool(url, workerCount, settings, packTask, BATCHES_AT_THREAD);
}

/** Of all inputs; without end where one is no file. */
function fileBytes(inputs: InputOptions['inputs']): number {
  const sizes = inputs.map(({ path, records }) => {
    // Whoever has the records asks for no thread beside its own.
    if (records !== undefined) return 0;
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : Number.POSITIVE_INFINITY;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

type ReadTask = ReadBatch | StoredBatch;
type ExtractPool = Pick<ThreadPool<ReadTask, ExtractResult, ExtractTask>, 'run' | 'close' | 'usedCount'>;

/** A batch that ended its thread, page by page: the one that ends a thread again is left out, by name. */
async function takeOneByOne(
  pieces: Iterable<{ readonly task: ReadTask; readonly url: string }>,
  pool: ExtractPool,
  sink: RecordSink,
): Promise<void> {
  for (const { task, url } of pieces) {
    try {
      sink.take(await pool.run(task), []);
    } catch (error) {
      if (!(error instanceof ThreadEndError)) throw error;
      const fault = {
        reason: 'unreadable',
        url,
        where: url,
        detail: `a thread ended while it read this page: ${error.message}`,
      } as const;
      if (isRead(task)) sink.fault({ ...fault, sweepId: task.sweepId });
      else sink.storedFault(fault);
    }
  }
}

async function* tasks(
  allInputs: InputOptions['inputs'],
  { maxPageBytes, rooms }: { readonly maxPageBytes: number; readonly rooms: LineRooms },
  indexes: readonly OpenedIndex[],
  listener: BuildListener,
  sink: RecordSink,
): AsyncIterableIterator<{ task: ReadTask; faults: readonly PlacedFault[] }> {
  let sequence = 0;
  const indexBytes = indexes.reduce((sum, { path }) => sum + statSync(path).size, 0);
  const inputs = allInputs.filter((input) => !isIndexInput(input));
  const sources: Source[] = [];
  for (const { path, records, ...how } of inputs) {
    const reading = { maxPageBytes, ...how };
    sources.push(
      records === undefined ? await openSource(path, reading) : openRecords(path, records, reading),
    );
  }
  const totals = sources.map((source) => source.progress.bytesTotal);
  const total = totals.includes(null) ? null : totals.reduce((sum, bytes) => sum! + bytes!, indexBytes);
  for (const { batch, nextSequence, place } of storedBatches(indexes)) {
    sequence = nextSequence;
    yield { task: batch, faults: [] };
    listener.stageProgress(Math.round(place * indexBytes), total);
  }
  for (const [i, source] of sources.entries()) {
    const sweepId = sink.beginInput(inputs[i]!);
    const from = { name: source.name, maxPageBytes, firstSequence: sequence, sweepId };
    for await (const batch of readBatches(source, from, rooms)) {
      sequence += batchCount(batch.task);
      yield batch;
      const read = sources.reduce((sum, { progress }) => sum + progress.bytesRead, indexBytes);
      listener.stageProgress(read, total);
    }
    sink.endInput(source.covered);
  }
}
