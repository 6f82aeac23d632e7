/** Hands pages over to a server that takes them: lines of records, some at a time, each batch kept before the next one is sent. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, InputError, TransientError } from '../../errors.ts';
import { LINES_TYPE } from '../../service/http/body.ts';
import type { WrittenPagesAnswer } from '../../service/schemas/answers/live-answers.ts';

const BATCH_LINES = 256;
const BATCH_CHARS = 4 * 2 ** 20;
const SHOWN_ERRORS = 20;
/** How long a server may keep no page, as too many wait for the index: a fold takes about as long as a build. */
const MAX_WAIT_MS = 30 * 60_000;
const MAX_PAUSE_SECONDS = 60;

export type HandedOver = Omit<WrittenPagesAnswer, 'errors' | 'stopped'>;

interface Receiver {
  /** http://127.0.0.1:3000 */
  readonly server: string;
  /** Of the scope `write`; undefined for none. */
  readonly key: string | undefined;
}

/**
 * What became of all records; `fault` is called with the first of those that were not kept.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG for a server that does not take pages, or not from us; TransientError AKIN_ERR_INDEX_BUSY for
 *         one that cannot be reached, or has no room for long; InputError AKIN_ERR_URL.
 */
export async function handOver(
  lines: AsyncIterable<string>,
  receiver: Receiver,
  fault: (text: string) => void,
): Promise<HandedOver> {
  const sums = {
    received: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    older: 0,
    deleted: 0,
    failed: 0,
    sequence: 0,
  };
  const counts = ['received', 'added', 'changed', 'unchanged', 'older', 'deleted', 'failed'] as const;
  for await (const batch of batchesOf(lines)) {
    for (let rest = batch; rest.length > 0; ) {
      const answer = await send(rest, receiver).catch((error: unknown) => {
        throw withCount(error, sums.received - sums.failed);
      });
      for (const { line, url, detail } of answer.errors) {
        if (sums.failed++ < SHOWN_ERRORS) fault(`${url ?? `record ${sums.received + line}`}: ${detail}`);
      }
      for (const count of counts) if (count !== 'failed') sums[count] += answer[count];
      sums.failed += answer.failed - answer.errors.length;
      sums.sequence = answer.sequence;
      rest = answer.stopped === null ? [] : rest.slice(answer.stopped.line - 1);
    }
  }
  return sums;
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

async function send(lines: readonly string[], { server, key }: Receiver): Promise<WrittenPagesAnswer> {
  if (!/^https?:\/\//i.test(server) || !URL.canParse(server)) {
    throw new InputError('AKIN_ERR_URL', `--server is "${server}", which is no URL`, {
      hint: 'such as http://127.0.0.1:3000',
    });
  }
  const url = `${server.replace(/\/$/, '')}/pages`;
  const headers = { 'content-type': LINES_TYPE, ...(key && { authorization: `Bearer ${key}` }) };
  for (const startedMs = Date.now(); ; ) {
    const response = await fetch(url, { method: 'POST', headers, body: lines.join('\n') }).catch((cause) => {
      throw new TransientError('AKIN_ERR_INDEX_BUSY', `${server} cannot be reached`, {
        cause,
        hint: 'start it: akin serve FILE --writable',
      });
    });
    const said: unknown = await response.json().catch(() => null);
    const body = (said ?? {}) as { detail?: string; errors?: unknown };
    // Another server, or one that asks to log in, answers as well.
    if (response.ok && Array.isArray(body.errors)) return body as WrittenPagesAnswer;
    const { status } = response;
    const isLater = status === 429 || status >= 500;
    if ((status === 429 || status === 503) && Date.now() - startedMs < MAX_WAIT_MS) {
      // A proxy may say a date, or a day.
      const seconds = Number(response.headers.get('retry-after'));
      await delay(1000 * (seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) : 1));
      continue;
    }
    if (status === 400 && Array.isArray(body.errors)) return noneKept(lines.length, body.errors);
    const detail = body.detail ?? (response.redirected ? `it leads to ${response.url}` : `HTTP ${status}`);
    if (isLater) throw new TransientError('AKIN_ERR_INDEX_BUSY', `${server} keeps no pages: ${detail}`);
    throw new ConfigError('AKIN_ERR_CONFIG', `${server} takes no pages: ${detail}`, {
      hint: 'akin serve FILE --writable; AKIN_WRITE_KEY has the key where one is asked for',
    });
  }
}

/** The answer where no line of a batch was kept says so as a problem. */
function noneKept(received: number, errors: readonly unknown[]): WrittenPagesAnswer {
  const faults = errors as readonly { parameter: string; detail: string; received: string | null }[];
  return {
    received,
    added: 0,
    changed: 0,
    unchanged: 0,
    older: 0,
    deleted: 0,
    failed: received,
    errors: faults.map(({ parameter, detail, received: url }) => {
      return { line: Number(parameter.split(' ')[1]), url, code: 'invalid-body', detail };
    }),
    stopped: null,
    sequence: 0,
  };
}
