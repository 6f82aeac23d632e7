import { lineRecord } from '../../../sources/jsonl.ts';
import type { Capture, Fault, JsonLine, Source } from '../../../sources/record/record.ts';
import { UNDATED_MS } from '../../../store/records.ts';
import type { Resources } from '../../files/budget.ts';
import type { Packed } from '../../files/threads/thread-pool.ts';
import type { CaptureBatch, ExtractCapture, ExtractTask, LineBatch, StoredBatch } from './extract-task.ts';
import type { PlacedFault } from './record-sink.ts';

/** A batch goes to a worker when it holds this many bytes of bodies ... */
const BATCH_BYTES = 2 << 20;
/** ... or this many captures. */
const BATCH_CAPTURES = 512;
/** For the lines of most batches. */
const ROOM_BYTES = BATCH_BYTES + (1 << 18);
/** What is held at once of a page that is extracted, for each byte of it: its text, tokens, words, shingles and links. */
const HELD_A_BYTE = 24;

const NO_BYTES = new Uint8Array(new SharedArrayBuffer(0));

type Reading = Pick<LineBatch, 'name' | 'maxPageBytes' | 'firstSequence' | 'sweepId'>;

/** Captures as a source gives them. */
interface ItemBatch extends Reading {
  readonly what: 'items';
  readonly items: readonly Capture[];
  readonly sizeBytes: number;
}

/** What a source gives, kept until its records are there. Lines of JSON are read where they are extracted. */
export type ReadBatch = ItemBatch | LineBatch;

export function isRead(task: ReadBatch | StoredBatch): task is ReadBatch {
  return task.what === 'items' || task.what === 'lines';
}

export function batchBytes(batch: ReadBatch): number {
  return batch.what === 'lines' ? batch.bytes.length : batch.sizeBytes;
}

/** Whether threads would exceed the memory of the build, if each had such a batch: no other one is read or extracted meanwhile. */
export function isTakenAlone(batch: ReadBatch, { memoryBytes, workerCount }: Resources): boolean {
  const sizes =
    batch.what === 'lines'
      ? batch.ends.map((end, i) => end - (batch.ends[i - 1] ?? 0))
      : batch.items.map(({ body }) => body.length);
  return sizes.some((size) => HELD_A_BYTE * size > memoryBytes / workerCount);
}

/** Of captures, or lines that may hold one. */
export function batchCount(batch: ReadBatch): number {
  return batch.what === 'lines' ? batch.ends.length : batch.items.length;
}

/** Memory for the lines of one batch after the other: if each had its own, the collector would be at work all the time. */
export class LineRooms {
  readonly #free: SharedArrayBuffer[] = [];

  take(): SharedArrayBuffer {
    return this.#free.pop() ?? new SharedArrayBuffer(ROOM_BYTES);
  }

  /** That of a batch whose records are there; not where it had to be larger. */
  give({ bytes: { buffer } }: LineBatch): void {
    if (buffer.byteLength === ROOM_BYTES) this.#free.push(buffer);
  }
}

/** A batch that is filled. */
interface Filling<Item> {
  readonly count: number;
  readonly sizeBytes: number;
  add(item: Item): void;
  batch(from: Reading): ReadBatch;
}

class Captures implements Filling<Capture> {
  readonly #items: Capture[] = [];
  sizeBytes = 0;

  get count(): number {
    return this.#items.length;
  }

  add(item: Capture): void {
    this.#items.push(item);
    this.sizeBytes += item.body.length;
  }

  batch(from: Reading): ItemBatch {
    return { ...from, what: 'items', items: this.#items, sizeBytes: this.sizeBytes };
  }
}

class Lines implements Filling<JsonLine> {
  readonly #numbers: number[] = [];
  readonly #ends: number[] = [];
  readonly #rooms: LineRooms;
  #bytes = NO_BYTES;
  sizeBytes = 0;

  constructor(rooms: LineRooms) {
    this.#rooms = rooms;
  }

  get count(): number {
    return this.#ends.length;
  }

  add({ number, bytes }: JsonLine): void {
    const start = this.sizeBytes;
    if (start === 0) this.#bytes = new Uint8Array(this.#rooms.take());
    this.sizeBytes += bytes.length;
    if (this.sizeBytes > this.#bytes.length) {
      const larger = new Uint8Array(new SharedArrayBuffer(this.sizeBytes));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, start);
    this.#numbers.push(number);
    this.#ends.push(this.sizeBytes);
  }

  batch(from: Reading): LineBatch {
    const bytes = this.#bytes.subarray(0, this.sizeBytes);
    return { ...from, what: 'lines', numbers: this.#numbers, ends: this.#ends, bytes };
  }
}

interface FilledBatch {
  readonly task: ReadBatch;
  readonly faults: readonly PlacedFault[];
}

/** Groups what a source gives, with the faults met meanwhile. */
export function readBatches(
  source: Source,
  from: Reading,
  rooms: LineRooms,
): AsyncIterableIterator<FilledBatch> {
  return source.lines === undefined
    ? filled(source.items(), from, () => new Captures())
    : filled(source.lines(), from, () => new Lines(rooms));
}

async function* filled<Item extends Capture | JsonLine>(
  items: AsyncIterable<Item | Fault>,
  { firstSequence, ...from }: Reading,
  begin: () => Filling<Item>,
): AsyncIterableIterator<FilledBatch> {
  let filling = begin();
  let faults: PlacedFault[] = [];
  const flush = (): FilledBatch => {
    const batch = { task: filling.batch({ ...from, firstSequence }), faults };
    firstSequence += filling.count;
    faults = [];
    return batch;
  };
  for await (const item of items) {
    if (item.kind === 'fault') faults.push({ ...item, sweepId: from.sweepId, place: filling.count });
    else filling.add(item);
    if (filling.sizeBytes >= BATCH_BYTES || filling.count + faults.length >= BATCH_CAPTURES) {
      yield flush();
      filling = begin();
    }
  }
  if (filling.count + faults.length > 0) yield flush();
}

/** A batch item by item, with the URL of each as far as it has one. */
export function* batchPieces(batch: ReadBatch): IterableIterator<{ task: ReadBatch; url: string }> {
  const piece = (i: number) => ({ firstSequence: batch.firstSequence + i });
  if (batch.what === 'items') {
    for (const [i, item] of batch.items.entries()) {
      yield { task: { ...batch, ...piece(i), items: [item], sizeBytes: item.body.length }, url: item.url };
    }
    return;
  }
  for (const [i, number] of batch.numbers.entries()) {
    const bytes = batch.bytes.subarray(batch.ends[i - 1] ?? 0, batch.ends[i]);
    const task = { ...batch, ...piece(i), numbers: [number], ends: [bytes.length], bytes };
    yield { task, url: lineRecord(bytes, number, batch)?.url ?? batch.name };
  }
}

/** Lines lie where the thread can read them. One buffer for all bodies of captures: it is handed to the thread, not copied. */
export function packTask(task: ReadBatch | StoredBatch): Packed<ExtractTask> {
  if (task.what !== 'items') return { message: task, transferList: [] };
  const bodies = new Uint8Array(task.sizeBytes);
  let at = 0;
  const captures = task.items.map((capture, i): ExtractCapture => {
    const { kind: _kind, body, ...head } = capture;
    const start = at;
    bodies.set(body, start);
    at += body.length;
    return {
      ...head,
      sequence: task.firstSequence + i,
      sweepId: task.sweepId,
      fetchedAtMs: capture.fetchedAtMs ?? UNDATED_MS,
      start,
      end: at,
    };
  });
  const message: CaptureBatch = { what: 'captures', captures, bodies };
  return { message, transferList: [bodies.buffer] };
}
