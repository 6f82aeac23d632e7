/** The other side of a thread (`thread.ts`): what it does with the jobs that it is given. */
import { parentPort } from 'node:worker_threads';
import { type SentError, sentError } from '../../errors.ts';
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

/**
 * Answers all jobs by `answer`, several at a time where it waits; `moved` says what of a value is handed over, not copied. News go to
 * `hear`, before the jobs that come behind them.
 */
export function answerJobs<Job, Value, What = never>(
  answer: (job: Job) => Promise<Value>,
  moved: (value: Value) => readonly ArrayBuffer[] = () => [],
  hear: (news: What) => void = () => {},
): void {
  parentPort!.on('message', async (message: Numbered<Job> | News<What>) => {
    if ('news' in message) return hear(message.news);
    const [number, job] = message;
    const send = (reply: Reply<Value>, handed: readonly ArrayBuffer[]) =>
      parentPort!.postMessage([number, reply] satisfies Numbered<Reply<Value>>, handed);
    try {
      const value = await answer(job);
      send({ value }, moved(value));
    } catch (error) {
      send(failureOf(error), []);
    }
  });
  parentPort!.postMessage('ready');
}

function failureOf(error: unknown): Reply<never> {
  if (!(error instanceof Problem)) return { error: sentError(error) };
  const { code, message: detail, errors, headers, nearest } = error;
  const extra = { headers, ...(errors && { errors }), ...(nearest && { nearest }) };
  return { problem: { code, detail, extra } };
}
