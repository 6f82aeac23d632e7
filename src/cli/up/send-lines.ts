/** One request to a server that takes pages, and what to do where it takes none. */
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, InputError, TransientError } from '../../errors.ts';
import { LINES_TYPE } from '../../service/http/body.ts';
import { NONE_WRITTEN, type WrittenPagesAnswer } from '../../service/schemas/answers/live-answers.ts';
import { formatSize } from '../terminal/table.ts';

/** How long a server may keep no page, as too many wait for the index: a fold takes about as long as a build. */
const MAX_WAIT_MS = 30 * 60_000;
const MAX_PAUSE_SECONDS = 60;

export interface Receiver {
  /** http://127.0.0.1:3000 */
  readonly server: string;
  /** Of the scope `write`; undefined for none. */
  readonly key: string | undefined;
}

/**
 * What became of lines; `too large` for several that may be taken one by one. A line that is too large by itself is one of the
 * errors of the answer. `waits` is called with the reason each time before it is sent again.
 *
 * Errors  as `handOver`.
 */
export async function sendLines(
  lines: readonly string[],
  { server, key }: Receiver,
  waits: (text: string) => void,
): Promise<WrittenPagesAnswer | 'too large'> {
  if (!/^https?:\/\//i.test(server) || !URL.canParse(server)) {
    throw new InputError('AKIN_ERR_URL', `--server is "${server}", which is no URL`, {
      hint: 'such as http://127.0.0.1:3000',
    });
  }
  const url = `${server.replace(/\/$/, '')}/pages`;
  const headers = { 'content-type': LINES_TYPE, ...(key && { authorization: `Bearer ${key}` }) };
  for (const startedMs = performance.now(); ; ) {
    const text = lines.join('\n');
    const response = await fetch(url, { method: 'POST', headers, body: text }).catch((error: Error) => {
      throw unreached(server, error);
    });
    const said: unknown = await response.json().catch(() => null);
    const body = (said ?? {}) as { detail?: string; errors?: unknown };
    // Another server, or one that asks to log in, answers as well.
    if (response.ok && Array.isArray(body.errors)) return body as WrittenPagesAnswer;
    const { status } = response;
    const isLater = status === 429 || status >= 500;
    if ((status === 429 || status === 503) && performance.now() - startedMs < MAX_WAIT_MS) {
      // A proxy may say a date, or a day.
      const seconds = Number(response.headers.get('retry-after'));
      waits(
        `${server} keeps no more for now: ${body.detail ?? `HTTP ${status}`}; waiting, half an hour at most`,
      );
      await delay(1000 * (seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) : 1));
      continue;
    }
    if (status === 400 && Array.isArray(body.errors)) return noneKept(lines.length, body.errors);
    if (status === 413) return lines.length > 1 ? 'too large' : noneKept(1, [tooLarge(text)]);
    const detail = body.detail ?? (response.redirected ? `it leads to ${response.url}` : `HTTP ${status}`);
    if (isLater) throw new TransientError('AKIN_ERR_INDEX_BUSY', `${server} keeps no pages: ${detail}`);
    throw new ConfigError('AKIN_ERR_CONFIG', `${server} takes no pages: ${detail}`, {
      hint:
        status === 401 || status === 403
          ? 'give a key of the scope write in AKIN_WRITE_KEY'
          : 'it must be one of akin serve FILE --writable, at its scheme and with its base path',
    });
  }
}

/** Why no answer came, and what to do. */
function unreached(server: string, error: Error): TransientError {
  const { code = '', message = '' } = (error.cause ?? {}) as { code?: string; message?: string };
  const hint = /CERT|SELF_SIGNED|ISSUER/.test(code)
    ? 'NODE_EXTRA_CA_CERTS=FILE adds the certificate of an authority of your own'
    : code === 'ECONNREFUSED'
      ? 'start it: akin serve FILE --writable'
      : 'look at the address of --server';
  const why = message || code || error.message;
  return new TransientError('AKIN_ERR_INDEX_BUSY', `${server} cannot be reached: ${why}`, {
    cause: error,
    hint,
  });
}

/** The fault of a line that is refused by its length, as a server names those of its lines. */
function tooLarge(line: string): Fault {
  const { url } = JSON.parse(line) as { url: string };
  const size = formatSize(Buffer.byteLength(line));
  const detail = `a record of ${size} is more than the server or a proxy before it takes (HTTP 413); of nginx that is client_max_body_size`;
  return { parameter: 'line 1', detail, received: url };
}

/** An error of a problem, of the line that its parameter names. */
interface Fault {
  readonly parameter: string;
  readonly detail: string;
  readonly received: string | null;
}

/** The answer where no line of a batch was kept says so as a problem. */
function noneKept(received: number, errors: readonly unknown[]): WrittenPagesAnswer {
  const faults = errors as readonly Fault[];
  return {
    received,
    ...NONE_WRITTEN,
    failed: received,
    errors: faults.map(({ parameter, detail, received: url }) => {
      return { line: Number(parameter.split(' ')[1]), url, code: 'invalid-body', detail };
    }),
    stopped: null,
    sequence: 0,
  };
}
