/** Hands pages over to a server that takes them: lines of records, some at a time, each batch kept before the next one is sent. */
import { TransientError } from '../../errors.ts';
import {
  NONE_WRITTEN,
  WRITTEN,
  type WrittenPagesAnswer,
} from '../../service/schemas/answers/live-answers.ts';
import { type Receiver, sendLines } from './send-lines.ts';

const BATCH_LINES = 256;
const BATCH_CHARS = 4 * 2 ** 20;
const SHOWN_ERRORS = 20;

export type HandedOver = Omit<WrittenPagesAnswer, 'errors' | 'stopped'>;

/** What is said meanwhile. */
interface HandOverListener {
  /** Of each of the first records that were not kept. */
  fault(text: string): void;
  /** How many were sent so far. */
  sent(count: number): void;
  /** Once, where a server keeps no more for now. */
  waits(text: string): void;
}

/**
 * What became of all records.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG for a server that does not take pages, or not from us; TransientError AKIN_ERR_INDEX_BUSY for
 *         one that cannot be reached, or has no room for long; InputError AKIN_ERR_URL.
 */
export async function handOver(
  lines: AsyncIterable<string>,
  receiver: Receiver,
  listener: HandOverListener,
): Promise<HandedOver> {
  const sums: Record<keyof HandedOver, number> = { received: 0, ...NONE_WRITTEN, sequence: 0 };
  // A proxy before the server may take less at once.
  let mostChars = Number.POSITIVE_INFINITY;
  let isSaid = false;
  const waits = (text: string) => {
    if (!isSaid) listener.waits(text);
    isSaid = true;
  };
  for await (const batch of batchesOf(lines)) {
    for (let rest = batch; rest.length > 0; ) {
      const sent = beginning(rest, mostChars);
      const answer = await sendLines(sent, receiver, waits).catch((error: unknown) => {
        throw withCount(error, sums.received - sums.failed);
      });
      if (answer === 'too large') {
        mostChars = sent.join().length / 2;
        continue;
      }
      for (const { line, url, detail } of answer.errors) {
        if (sums.failed++ < SHOWN_ERRORS)
          listener.fault(`${url ?? `record ${sums.received + line}`}: ${detail}`);
      }
      for (const count of ['received', ...WRITTEN] as const) sums[count] += answer[count];
      sums.failed += answer.failed - answer.errors.length;
      sums.sequence = Math.max(sums.sequence, answer.sequence);
      listener.sent(sums.received);
      rest = rest.slice(answer.stopped === null ? sent.length : answer.stopped.line - 1);
    }
  }
  return sums;
}

/** The first lines that have so many letters together; one at least. */
function beginning(lines: readonly string[], mostChars: number): readonly string[] {
  let chars = lines[0]!.length;
  let count = 1;
  while (count < lines.length && chars + lines[count]!.length <= mostChars) chars += lines[count++]!.length;
  return lines.slice(0, count);
}

/** Says how many pages were kept before it, too. */
function withCount(error: unknown, keptCount: number): unknown {
  if (keptCount === 0 || !(error instanceof TransientError)) return error;
  const { code, message, cause, hint } = error;
  const said = `${message}; ${keptCount} pages were kept before, the others were not`;
  return new TransientError(code, said, { cause, ...(hint !== undefined && { hint }) });
}

async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for await (const line of lines) {
    batch.push(line);
    chars += line.length;
    if (batch.length < BATCH_LINES && chars < BATCH_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
