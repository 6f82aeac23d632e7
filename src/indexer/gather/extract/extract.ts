import { statSync } from 'node:fs';
import { openSource } from '../../../sources/open-source.ts';
import type { Capture, Source } from '../../../sources/record/record.ts';
import { openRecords } from '../../../sources/records.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import type { BuildListener, Stages } from '../../files/stage-runner.ts';
import { ThreadEndError } from '../../files/threads/thread.ts';
import { type Packed, ThreadPool } from '../../files/threads/thread-pool.ts';
import type {
  BuildTask,
  CopyOptions,
  DisplayOptions,
  InputOptions,
  ReadingOptions,
} from '../../options/build-options.ts';
import type { ExtractReport } from './extract-report.ts';
import {
  type CaptureBatch,
  type ExtractCapture,
  type ExtractResult,
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
import { type PlacedFault, RecordSink } from './record-sink.ts';

/** A batch goes to a worker when it holds this many bytes of bodies ... */
const BATCH_BYTES = 2 << 20;
/** ... or this many captures. */
const BATCH_CAPTURES = 512;
/** One is read while the next one waits beside it. */
const BATCHES_AT_THREAD = 2;
/** To start a thread takes about as long as to extract this many bytes. */
const THREAD_WORTH_BYTES = 1 << 20;

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
): Promise<ExtractReport> {
  const { memoryBytes, workerCount } = resources;
  const indexes = openIndexes(input, options);
  const settings = { ...readingSettings(options), bucketCount, indexes: storedIndexes(indexes) };
  const pool: ExtractPool =
    fileBytes(input.inputs) <= THREAD_WORTH_BYTES
      ? new OwnThread(settings, packTask)
      : new ThreadPool(
          new URL('./extract-worker', import.meta.url),
          workerCount,
          settings,
          packTask,
          BATCHES_AT_THREAD,
        );
  const sink = new RecordSink(input, memoryBytes, folder, bucketCount, listener, indexes);
  try {
    const inFlight: { task: ReadTask; result: Promise<ExtractResult>; faults: readonly PlacedFault[] }[] = [];
    const takeFirst = async () => {
      const { task, result, faults } = inFlight.shift()!;
      try {
        sink.take(await result, faults);
      } catch (error) {
        if (!(error instanceof ThreadEndError)) throw error;
        await takeOneByOne(piecesOf(task, indexes), pool, sink);
        for (const { place: _place, ...fault } of faults) sink.fault(fault);
      }
    };
    for await (const { task, faults } of tasks(input.inputs, options.maxPageBytes, indexes, listener, sink)) {
      const result = pool.run(task);
      // Awaited in input order below; a failure meanwhile must not count as unhandled.
      result.catch(() => {});
      inFlight.push({ task, result, faults });
      if (inFlight.length > BATCHES_AT_THREAD * workerCount) await takeFirst();
    }
    while (inFlight.length > 0) await takeFirst();
    return await sink.finish();
  } finally {
    sink.abandon();
    await pool.close();
    for (const { reader } of indexes) reader.close();
  }
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

/** Captures as a source gives them; they are kept until their records are there. */
interface ReadBatch {
  readonly what: 'captures';
  readonly captures: readonly Capture[];
  readonly firstSequence: number;
  readonly sweepId: number;
}

type ReadTask = ReadBatch | StoredBatch;
type ExtractPool = Pick<ThreadPool<ReadTask, ExtractResult, ExtractTask>, 'run' | 'close'>;

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
      if (task.what === 'captures') sink.fault({ ...fault, sweepId: task.sweepId });
      else sink.storedFault(fault);
    }
  }
}

function* piecesOf(
  task: ReadTask,
  indexes: readonly OpenedIndex[],
): IterableIterator<{ task: ReadTask; url: string }> {
  if (task.what !== 'captures') return yield* storedPieces(indexes[task.index]!, task);
  for (const [i, capture] of task.captures.entries()) {
    const piece = { ...task, captures: [capture], firstSequence: task.firstSequence + i };
    yield { task: piece, url: capture.url };
  }
}

async function* tasks(
  allInputs: InputOptions['inputs'],
  maxPageBytes: number,
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
    listener.stageProgress(total === null ? sequence : Math.round(place * indexBytes), total);
  }
  for (const [i, source] of sources.entries()) {
    const sweepId = sink.beginInput(inputs[i]!);
    for await (const batch of captureBatches(source, sequence, sweepId)) {
      sequence += batch.task.captures.length;
      for (const { unknownMembers = [] } of batch.task.captures) sink.countUnknown(unknownMembers);
      yield batch;
      const read = sources.reduce((sum, { progress }) => sum + progress.bytesRead, indexBytes);
      listener.stageProgress(total === null ? sequence : read, total);
    }
    sink.endInput(source.covered);
  }
}

/** Groups the captures of a source, with the faults met meanwhile. */
async function* captureBatches(
  source: Source,
  firstSequence: number,
  sweepId: number,
): AsyncIterableIterator<{ task: ReadBatch; faults: readonly PlacedFault[] }> {
  let sequence = firstSequence;
  let pending: Capture[] = [];
  let pendingBytes = 0;
  let faults: PlacedFault[] = [];
  const flush = () => {
    const task: ReadBatch = { what: 'captures', captures: pending, firstSequence: sequence, sweepId };
    const batch = { task, faults };
    sequence += pending.length;
    pending = [];
    pendingBytes = 0;
    faults = [];
    return batch;
  };
  for await (const item of source.items()) {
    if (item.kind === 'fault') {
      faults.push({ ...item, sweepId, place: pending.length });
    } else {
      pending.push(item);
      pendingBytes += item.body.length;
    }
    if (pendingBytes >= BATCH_BYTES || pending.length + faults.length >= BATCH_CAPTURES) yield flush();
  }
  if (pending.length + faults.length > 0) yield flush();
}

/** One buffer for all bodies of a batch: it is handed to the thread, not copied. */
function packTask(task: ReadTask): Packed<ExtractTask> {
  if (task.what !== 'captures') return { message: task, transferList: [] };
  const message = packBatch(task);
  return { message, transferList: [message.bodies.buffer] };
}

function packBatch({ captures: read, firstSequence, sweepId }: ReadBatch): CaptureBatch {
  const bodies = new Uint8Array(read.reduce((sum, { body }) => sum + body.length, 0));
  let at = 0;
  const captures = read.map((capture, i): ExtractCapture => {
    const { kind: _kind, unknownMembers: _names, body, ...head } = capture;
    bodies.set(body, at);
    at += body.length;
    return {
      ...head,
      sequence: firstSequence + i,
      sweepId,
      fetchedAtMs: capture.fetchedAtMs ?? UNDATED_MS,
      start: at - body.length,
      end: at,
    };
  });
  return { what: 'captures', captures, bodies };
}
