import { lineRecord } from '../../../sources/jsonl.ts';
import type { Capture, JsonLine, Source } from '../../../sources/record/record.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import type { Packed } from '../../files/threads/thread-pool.ts';
import type { CaptureBatch, ExtractCapture, ExtractTask, LineBatch, StoredBatch } from './extract-task.ts';
import type { PlacedFault } from './record-sink.ts';

/** A batch goes to a worker when it holds this many bytes of bodies ... */
const BATCH_BYTES = 2 << 20;
/** ... or this many captures. */
const BATCH_CAPTURES = 512;

/** Captures as a source gives them, or lines of JSON, which are read where they are extracted; kept until their records are there. */
export interface ReadBatch extends Pick<LineBatch, 'name' | 'maxPageBytes' | 'firstSequence' | 'sweepId'> {
  readonly what: 'items';
  /** Of one kind. */
  readonly items: readonly (Capture | JsonLine)[];
  readonly sizeBytes: number;
}

/** Groups what a source gives, with the faults met meanwhile. */
export async function* readBatches(
  source: Source,
  from: Pick<ReadBatch, 'maxPageBytes' | 'firstSequence' | 'sweepId'>,
): AsyncIterableIterator<{ task: ReadBatch; faults: readonly PlacedFault[] }> {
  const { name } = source;
  const { sweepId } = from;
  let { firstSequence } = from;
  let items: (Capture | JsonLine)[] = [];
  let sizeBytes = 0;
  let faults: PlacedFault[] = [];
  const flush = () => {
    const task: ReadBatch = { ...from, what: 'items', name, items, sizeBytes, firstSequence };
    const batch = { task, faults };
    firstSequence += items.length;
    items = [];
    sizeBytes = 0;
    faults = [];
    return batch;
  };
  for await (const item of source.lines?.() ?? source.items()) {
    if (item.kind === 'fault') {
      faults.push({ ...item, sweepId, place: items.length });
    } else {
      items.push(item);
      sizeBytes += bytesOf(item).length;
    }
    if (sizeBytes >= BATCH_BYTES || items.length + faults.length >= BATCH_CAPTURES) yield flush();
  }
  if (items.length + faults.length > 0) yield flush();
}

function bytesOf(item: Capture | JsonLine): Uint8Array {
  return item.kind === 'line' ? item.bytes : item.body;
}

/** A batch item by item, with the URL of each as far as it has one. */
export function* batchPieces(batch: ReadBatch): IterableIterator<{ task: ReadBatch; url: string }> {
  for (const [i, item] of batch.items.entries()) {
    const task = { ...batch, items: [item], firstSequence: batch.firstSequence + i };
    yield { task, url: urlOf(item, batch) };
  }
}

function urlOf(item: Capture | JsonLine, batch: ReadBatch): string {
  const record = item.kind === 'line' ? lineRecord(item.bytes, item.number, batch) : item;
  return record?.url ?? batch.name;
}

/** One buffer for all bytes of a batch: it is handed to the thread, not copied. */
export function packTask(task: ReadBatch | StoredBatch): Packed<ExtractTask> {
  if (task.what !== 'items') return { message: task, transferList: [] };
  const bytes = new Uint8Array(task.sizeBytes);
  const ends: number[] = [];
  let at = 0;
  for (const item of task.items) {
    bytes.set(bytesOf(item), at);
    at += bytesOf(item).length;
    ends.push(at);
  }
  const message =
    task.items[0]?.kind === 'line' ? lineBatch(task, bytes, ends) : captureBatch(task, bytes, ends);
  return { message, transferList: [bytes.buffer] };
}

function captureBatch(
  { items, firstSequence, sweepId }: ReadBatch,
  bodies: CaptureBatch['bodies'],
  ends: readonly number[],
): CaptureBatch {
  const captures = (items as readonly Capture[]).map((capture, i): ExtractCapture => {
    const { kind: _kind, body: _body, ...head } = capture;
    return {
      ...head,
      sequence: firstSequence + i,
      sweepId,
      fetchedAtMs: capture.fetchedAtMs ?? UNDATED_MS,
      start: ends[i - 1] ?? 0,
      end: ends[i]!,
    };
  });
  return { what: 'captures', captures, bodies };
}

function lineBatch(
  { items, name, maxPageBytes, firstSequence, sweepId }: ReadBatch,
  bytes: LineBatch['bytes'],
  ends: readonly number[],
): LineBatch {
  const numbers = (items as readonly JsonLine[]).map(({ number }) => number);
  return { what: 'lines', name, maxPageBytes, firstSequence, sweepId, numbers, ends, bytes };
}
