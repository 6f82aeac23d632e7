/**
 * Judgements of answers, one JSON object a line, in a file beside the index: `FILE.feedback.jsonl`.
 *
 *   {"at":"2026-01-31T12:00:00.000Z","generation":"…","by":"…","url":"…","related_url":"…","judgement":"worse","rank":3}
 *
 * `append` resolves when the line is on the disk (fdatasync; lines that come meanwhile share the next one). A process
 * that is killed leaves at most one torn line: the next line begins behind a line break, and readers skip the torn one
 * and count it. The file is opened for each write, so it can be moved away while the server runs.
 */
import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError, InputError, TransientError } from '../errors.ts';
import { DEFAULT_RELATION } from '../relations/relations.ts';
import { asStoreError } from './database.ts';

export const JUDGEMENTS = ['better', 'worse'] as const;

interface FeedbackEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Of the index that gave the answer. */
  readonly generation: string;
  /** Name of the relation. */
  readonly by: string;
  readonly url: string;
  readonly related_url: string;
  /** `better`: it should stand higher, or be in the list at all; `worse`: it should stand lower. */
  readonly judgement: (typeof JUDGEMENTS)[number];
  /** Its place in the list then, 1 for the first; null where the list did not have it. */
  readonly rank: number | null;
}

export interface StoredFeedback {
  readonly entries: readonly FeedbackEntry[];
  /** Lines that are no judgement: torn ones. */
  readonly unreadableCount: number;
}

const NEWLINE = 0x0a;

interface Waiting {
  readonly line: Buffer<ArrayBuffer>;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export function feedbackPathOf(indexPath: string): string {
  return `${indexPath}.feedback.jsonl`;
}

export class FeedbackLog {
  readonly path: string;
  readonly #maxBytes: number;
  #waiting: Waiting[] = [];
  #isWriting = false;

  private constructor(path: string, maxBytes: number) {
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  /** Errors  ConfigError AKIN_ERR_CONFIG where the file cannot be written. */
  static async open(path: string, maxBytes: number): Promise<FeedbackLog> {
    const log = new FeedbackLog(path, maxBytes);
    try {
      await log.#write(Buffer.alloc(0));
    } catch (cause) {
      throw new ConfigError('AKIN_ERR_CONFIG', `cannot write ${path}: ${(cause as Error).message}`, {
        hint: 'let this user write there, or serve without --feedback',
        cause,
      });
    }
    return log;
  }

  /** Resolves to false where the file or its disk has no room for it. Errors  the system's own. */
  append(entry: FeedbackEntry): Promise<boolean> {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      if (!this.#isWriting) void this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const room = await this.#write(...batch.map(({ line }) => line));
        for (const [i, { resolve }] of batch.entries()) resolve(i < room);
      } catch (error) {
        const isFull = asStoreError(error, this.path) instanceof TransientError;
        for (const { resolve, reject } of batch) {
          if (isFull) resolve(false);
          else reject(error);
        }
      }
    }
    this.#isWriting = false;
  }

  /** How many of the lines there was room for, the first ones; these are on the disk then. */
  async #write(...lines: readonly Buffer<ArrayBuffer>[]): Promise<number> {
    await using file = await open(this.path, 'a+', 0o640);
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error('it is not a regular file');
    const start = (await endsTorn(file, stat.size)) ? Buffer.of(NEWLINE) : Buffer.alloc(0);
    const ends: number[] = [];
    for (const { length } of lines) {
      const end = (ends.at(-1) ?? start.length) + length;
      if (stat.size + end > this.#maxBytes) break;
      ends.push(end);
    }
    if (ends.length > 0) {
      // One call, so that lines of several processes do not mix.
      const bytes = Buffer.concat([start, ...lines.slice(0, ends.length)]);
      const { bytesWritten } = await file.write(bytes);
      await file.datasync();
      // A full disk cuts them: a line without its line break alone is one, the next begins with that.
      while (ends.length > 0 && ends.at(-1)! - 1 > bytesWritten) ends.pop();
    }
    if (stat.size === 0) await syncFolder(dirname(this.path));
    return ends.length;
  }
}

async function endsTorn(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== NEWLINE;
}

/** So that a new file has its name after a loss of power too. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

/** Errors  InputError: AKIN_ERR_INPUT_MISSING, AKIN_ERR_INPUT_EMPTY, AKIN_ERR_INPUT_UNREADABLE where no line is one. */
export function readFeedback(path: string): StoredFeedback {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError(
      'AKIN_ERR_INPUT_MISSING',
      `cannot read the feedback ${path}: ${(cause as Error).message}`,
      {
        hint: 'akin serve FILE --feedback writes FILE.feedback.jsonl',
        cause,
      },
    );
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.flatMap((line) => entryOf(line) ?? []);
  if (entries.length === 0) {
    const code = lines.length === 0 ? 'AKIN_ERR_INPUT_EMPTY' : 'AKIN_ERR_INPUT_UNREADABLE';
    throw new InputError(code, `${path} has no judgement`, {
      hint: 'each line is a JSON object with url, related_url and judgement, "better" or "worse"',
    });
  }
  return { entries, unreadableCount: lines.length - entries.length };
}

function entryOf(line: string): FeedbackEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const {
    at = '',
    generation = '',
    by = DEFAULT_RELATION.name,
    url,
    related_url,
    judgement,
    rank,
  } = value as FeedbackEntry;
  const isJudged = JUDGEMENTS.includes(judgement);
  if (typeof url !== 'string' || typeof related_url !== 'string' || !isJudged) return null;
  return { at, generation, by, url, related_url, judgement, rank: typeof rank === 'number' ? rank : null };
}
