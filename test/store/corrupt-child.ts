/** Opens damaged indexes by every door, one a line of standard input; a line of JSON each says how that went. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { run } from '../../src/cli/run.ts';
import { buildApp } from '../../src/service/app.ts';
import type { OpenIndex } from '../../src/service/reads/file/open-index.ts';
import { openIndex } from '../../src/service/reads/shards/open-shards.ts';
import { addressAsker } from '../service/address-asker.ts';

export interface Seen {
  readonly exitCodes: { readonly check: number; readonly show: number; readonly serve: number };
  /** What no one should read: a failure that is no refusal of the file. */
  readonly faults: readonly string[];
  /** Requests that were answered, and those refused with the file named as the reason in the log. */
  readonly answered: number;
  readonly refused: number;
}

const [requestsText] = process.argv.slice(2);
const requests = JSON.parse(requestsText!) as { url: string; body?: object }[];

function collector() {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { lines, stream };
}

async function command(name: 'check' | 'show', path: string, faults: string[]): Promise<number> {
  const { lines, stream } = collector();
  const code = await run([name, path], {
    env: { AKIN_DEBUG: '1' },
    stdin: process.stdin,
    stdout: collector().stream,
    stderr: stream,
  });
  if (code === 1) faults.push(`${name}: ${lines.join('')}`);
  return code;
}

type Served = Pick<Seen, 'answered' | 'refused'> & { readonly code: number };

async function serve(path: string, faults: string[]): Promise<Served> {
  const log = collector();
  let app: Awaited<ReturnType<typeof buildApp>>;
  try {
    const logger = pino({ level: 'error' }, log.stream);
    app = await buildApp({ indexPath: path, pollMs: 0, maxEventLoopDelayMs: 0, logger });
  } catch (error) {
    return notOpened(error as Error, faults);
  }
  let [answered, refused] = [0, 0];
  for (const { url, body } of requests) {
    log.lines.length = 0;
    const { statusCode, payload } = await app.inject({
      url,
      ...(body ? { method: 'POST', payload: body } : {}),
    });
    if (statusCode < 500) answered++;
    else if (/"type":"CorruptError"/.test(log.lines.join(''))) refused++;
    else faults.push(`${url}: ${statusCode} ${log.lines.join('')}`);
    if (statusCode === 200) soundOrFault(url, payload, faults);
  }
  await app.close();
  return { code: 0, answered, refused };
}

/** The same without ready answers, threads and a server, as commands ask. */
async function ask(path: string, faults: string[]): Promise<Served> {
  let index: OpenIndex;
  try {
    index = await openIndex([path], { preload: false });
  } catch (error) {
    return notOpened(error as Error, faults);
  }
  const answerOf = addressAsker(index);
  let [answered, refused] = [0, 0];
  for (const { url, body } of requests) {
    try {
      const answer = await answerOf(url, body);
      if (answer?.status === 200) soundOrFault(url, answer.text, faults);
      answered++;
    } catch (error) {
      if ((error as Error).name === 'CorruptError') refused++;
      else faults.push(`${url}: ${(error as Error).stack}`);
    }
  }
  index.close();
  return { code: 0, answered, refused };
}

function notOpened({ name, stack }: Error, faults: string[]): Served {
  if (name === 'CorruptError' || name === 'InputError') return { code: 5, answered: 0, refused: 0 };
  faults.push(`serve: ${stack}`);
  return { code: 1, answered: 0, refused: 0 };
}

function soundOrFault(url: string, payload: string, faults: string[]): void {
  if (/javascript:/i.test(payload)) faults.push(`${url}: the answer holds a javascript: URL`);
  if (url.startsWith('/related.html')) return;
  try {
    JSON.parse(payload);
  } catch {
    faults.push(`${url}: the answer is no JSON: ${payload.slice(0, 300)}`);
  }
}

// In turn with ready answers and threads, and without.
let isServed = false;
for await (const path of createInterface({ input: process.stdin })) {
  const faults: string[] = [];
  const check = await command('check', path, faults);
  const show = await command('show', path, faults);
  const { code, answered, refused } = await (isServed ? serve : ask)(path, faults);
  isServed = !isServed;
  const seen: Seen = { exitCodes: { check, show, serve: code }, faults, answered, refused };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
