/** Takes pages that come as lines, some at a time: each batch is on the disk before the next one is read. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { StreamReader } from '../../sources/bytes/stream-reader.ts';
import { NOT_UTF8 } from '../../sources/jsonl.ts';
import { Problem } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';
import { NONE_WRITTEN, type WrittenPagesAnswer } from '../schemas/answers/live-answers.ts';
import { type GivenRecord, MAX_LINE_BYTES, type RecordFault, readLine } from './given-record.ts';
import type { BatchSize, Written } from './live-pages.ts';

const SHOWN_ERRORS = 100;

type Counts = Omit<WrittenPagesAnswer, 'sequence'>;
type Write = (records: readonly GivenRecord[]) => Promise<readonly Written[]>;

/**
 * What became of the lines. Where `write` has no room any more, reading ends, and the answer says at which line; what was written stays.
 *
 * Errors  Problem of `write` where nothing was written; `malformed-request` where the body ends early.
 */
export async function writeLines(
  stream: Readable,
  write: Write,
  nowMs: () => number,
  facts: () => IndexFacts,
  size: BatchSize,
): Promise<Counts> {
  const counts: Record<keyof typeof NONE_WRITTEN, number> = { ...NONE_WRITTEN };
  const errors: WrittenPagesAnswer['errors'] = [];
  let received = 0;
  let writtenCount = 0;
  let stopped: WrittenPagesAnswer['stopped'] = null;
  const fail = (line: number, { url, code, detail }: RecordFault) => {
    counts.failed++;
    if (errors.length < SHOWN_ERRORS) errors.push({ line, url, code, detail });
  };
  for await (const lines of batchesOf(stream, size)) {
    const records: { readonly number: number; readonly record: GivenRecord }[] = [];
    const faults: { readonly number: number; readonly fault: RecordFault }[] = [];
    for (const { number, text } of lines) {
      const record = typeof text === 'string' ? readLine(text, nowMs(), facts()) : text;
      if ('code' in record) faults.push({ number, fault: record });
      else records.push({ number, record });
    }
    try {
      const written = records.length === 0 ? [] : await write(records.map(({ record }) => record));
      received += lines.length;
      for (const [i, { state, fault }] of written.entries()) {
        const { number, record } = records[i]!;
        const { url } = record;
        if (state === 'refused')
          faults.push({ number, fault: { url, code: 'invalid-body', detail: fault! } });
        else if (state === 'missing') faults.push({ number, fault: { ...NOT_THERE, url } });
        else counts[state]++;
      }
      for (const { number, fault } of faults.sort((a, b) => a.number - b.number)) fail(number, fault);
      writtenCount += records.length;
    } catch (error) {
      if (!(error instanceof Problem) || writtenCount === 0) throw error;
      const { code, message: detail } = error;
      stopped = { line: lines[0]!.number, code, detail };
      break;
    }
  }
  return { received, ...counts, errors, stopped };
}

const TOO_LONG: RecordFault = {
  url: null,
  code: 'body-too-large',
  detail: `a line of more than ${MAX_LINE_BYTES} bytes`,
};
const BAD_BYTES: RecordFault = { url: null, code: 'malformed-json', detail: NOT_UTF8 };
const NOT_THERE = { code: 'page-not-indexed', detail: 'there is no such page' } as const;

interface Line {
  readonly number: number;
  /** What is wrong with one that cannot be read. */
  readonly text: string | RecordFault;
}

/** Lines that are not empty. */
async function* batchesOf(stream: Readable, size: BatchSize): AsyncGenerator<readonly Line[]> {
  const reader = new StreamReader(stream);
  let lines: Line[] = [];
  let chars = 0;
  for (let number = 1; ; number++) {
    const line = await lineOf(reader);
    if (line === null) break;
    const text = line === 'too_long' ? TOO_LONG : isUtf8(line) ? line.toString('utf8') : BAD_BYTES;
    if (typeof text === 'string' && text.trim() === '') continue;
    lines.push({ number, text });
    chars += typeof text === 'string' ? text.length : 0;
    if (lines.length < size.lines && chars < size.chars) continue;
    yield lines;
    lines = [];
    chars = 0;
  }
  if (lines.length > 0) yield lines;
}

/** Errors  Problem `malformed-request`. */
async function lineOf(reader: StreamReader): Promise<Buffer | null | 'too_long'> {
  try {
    return await reader.readLine(MAX_LINE_BYTES);
  } catch (cause) {
    throw new Problem('malformed-request', 'the body ended before it was complete', { cause });
  }
}
