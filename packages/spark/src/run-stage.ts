import type { Readable, Writable } from 'node:stream';
import { type Columns, LineFormat } from './record/columns.ts';
import type { Stage, StageContext } from './record/stage.ts';

/** Bytes of lines that are written at once. */
const OUT_BYTES = 1 << 16;

/** What a run did; printed as the last line on standard error. */
interface StageReport {
  readonly stage: string;
  readonly read: number;
  readonly written: number;
  readonly faults: number;
}

/** A record that could not be used. */
export interface RecordFault {
  readonly stage: string;
  /** Number of its line, from 1; after the last one for what is found at the end. */
  readonly record: number;
  readonly error: string;
}

/**
 * Reads records from `input` and writes those of the stage to `output`. A record that cannot be used goes to `onFault`
 * and counted; the others go on. Slow readers are waited for.
 */
export async function runStage<In extends Columns, Out extends Columns>(
  stage: Stage<In, Out>,
  context: StageContext,
  input: Readable,
  output: Writable,
  onFault: (fault: RecordFault) => void,
): Promise<StageReport> {
  const lines = new LineFormat(stage.input);
  const out = new LineWriter(new LineFormat(stage.output), output);
  const counts = { read: 0, faults: 0 };
  const run = stage.open(context);
  const fault = (error: unknown) => {
    counts.faults++;
    const message = error instanceof Error ? error.message : String(error);
    onFault({ stage: stage.name, record: counts.read, error: message });
  };
  for await (const line of linesOf(input)) {
    counts.read++;
    try {
      const working = run.take(lines.parse(line), out.emit);
      if (working !== undefined) await working;
    } catch (error) {
      fault(error);
    }
    if (out.isFull) await out.flush();
  }
  try {
    run.end?.(out.emit);
  } catch (error) {
    counts.read++;
    fault(error);
  }
  await out.flush();
  return { stage: stage.name, read: counts.read, written: out.count, faults: counts.faults };
}

class LineWriter<C extends Columns> {
  count = 0;
  readonly #format: LineFormat<C>;
  readonly #output: Writable;
  #pending: string[] = [];
  #size = 0;

  constructor(format: LineFormat<C>, output: Writable) {
    this.#format = format;
    this.#output = output;
  }

  readonly emit = (row: Parameters<LineFormat<C>['format']>[0]): void => {
    const line = this.#format.format(row);
    this.#pending.push(line);
    this.#size += line.length;
    this.count++;
    // A record may give a great many: what is written then waits in the stream.
    if (this.#size >= 64 * OUT_BYTES) this.#write();
  };

  get isFull(): boolean {
    return this.#size >= OUT_BYTES;
  }

  #write(): boolean {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#size = 0;
    return text === '' || this.#output.write(text);
  }

  async flush(): Promise<void> {
    if (this.#write() && !this.#output.writableNeedDrain) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#output.once('drain', resolve).once('error', reject);
    await promise;
    this.#output.off('error', reject);
  }
}

/** Lines without their ends; the last one needs none. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      yield parts.length === 0 ? last.toString('utf8') : Buffer.concat([...parts, last]).toString('utf8');
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString('utf8');
}
