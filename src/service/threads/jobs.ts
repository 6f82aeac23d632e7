/** The other side of a thread (`thread.ts`): what it does with the jobs that it is given. */
import { parentPort } from 'node:worker_threads';
import { type SentError, sentError } from '../../errors.ts';
import { startThread } from '../../store/sqlite-thread.ts';
import { Problem, type ProblemCode, type ProblemExtra } from '../http/problems/problem.ts';

/** What a thread gets and gives, with the number of the job. */
export type Numbered<Value> = readonly [number: number, value: Value];

/** What all threads hear; no answer comes. */
export interface News<Value> {
  readonly news: Value;
}

/** What a thread says of a job: its value, what the request is refused with, or how it failed. */
export type Reply<Value> =
  | { readonly value: Value }
  | {
      readonly problem: { readonly code: ProblemCode; readonly detail: string; readonly extra: ProblemExtra };
    }
  | { readonly error: SentError };

/** What a thread hears of: what it is to open, for the jobs that come from now on, or that no more will come. */
export type Order<Value> = { readonly order: Value } | 'close';

/** What a thread says when it has opened it. */
export type Opened = 'ready' | { readonly failed: SentError };

/** What a thread does with jobs, by the order that it opened. */
interface Answerer<Job, Value, What> {
  answer(job: Job): Promise<Value>;
  /** Takes news before the jobs that come behind them. */
  hear?(news: What): void;
  close?(): void;
}

/**
 * Opens what the thread is given an order for, and answers all jobs, several at a time where it waits; `moved` says what of a value is
 * handed over, not copied.
 */
export function answerJobs<Given, Job, Value, What = never>(
  open: (order: Given) => Promise<Answerer<Job, Value, What>>,
  moved: (value: Value) => readonly ArrayBuffer[] = () => [],
): void {
  startThread();
  let opened: Promise<Answerer<Job, Value, What>>;
  const take = async ([number, job]: Numbered<Job>) => {
    const { answer } = await opened;
    const send = (reply: Reply<Value>, handed: readonly ArrayBuffer[]) =>
      parentPort!.postMessage([number, reply] satisfies Numbered<Reply<Value>>, handed);
    try {
      const value = await answer(job);
      send({ value }, moved(value));
    } catch (error) {
      send(failureOf(error), []);
    }
  };
  parentPort!.on('message', async (message: Order<Given> | Numbered<Job> | News<What>) => {
    if (message === 'close') (await opened).close?.();
    else if ('news' in message) (await opened).hear!(message.news);
    else if (!('order' in message)) await take(message);
    else {
      opened = open(message.order);
      const said: Opened = await opened.then(
        () => 'ready',
        (error) => ({ failed: sentError(error) }),
      );
      parentPort!.postMessage(said);
    }
  });
}

function failureOf(error: unknown): Reply<never> {
  if (!(error instanceof Problem)) return { error: sentError(error) };
  const { code, message: detail, errors, headers, nearest } = error;
  const extra = { headers, ...(errors && { errors }), ...(nearest && { nearest }) };
  return { problem: { code, detail, extra } };
}
