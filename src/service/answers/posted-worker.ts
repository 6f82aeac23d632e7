/** A thread that answers for posted documents; `threads/threads.ts` starts it and says what it does. */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../../errors.ts';
import { Problem } from '../http/problems/problem.ts';
import { openIndex } from '../reads/shards/open-shards.ts';
import { openOrder } from '../reads/shards/peers.ts';
import type { Job, Numbered, Reply, ThreadOrder } from '../threads/threads.ts';
import { postedAnswer } from './posted.ts';

const { paths, peers, generation: wanted, exactSearchUs } = workerData as ThreadOrder;
const { index, setLost } = peers === undefined ? await openFiles() : openOrder(peers);
if (index.facts.id !== wanted) throw new Error(`${paths.join(', ')} has been replaced`);

parentPort!.on('message', async ([number, job]: Numbered<Job>) => {
  parentPort!.postMessage([number, await replyTo(job)] satisfies Numbered<Reply>);
});
parentPort!.postMessage({ ready: true });

async function openFiles() {
  const options = { preload: false, ...(exactSearchUs !== undefined && { exactSearchUs }) };
  return { index: await openIndex(paths, options), setLost() {} };
}

async function replyTo(job: Job): Promise<Reply> {
  try {
    if (job.links) index.links.hold(job.links);
    setLost(job.lost ?? []);
    return await index.answer((reads) => postedAnswer(reads, job));
  } catch (error) {
    if (!(error instanceof Problem)) return { error: sentError(error) };
    const { code, message: detail, errors, headers, nearest } = error;
    const extra = { headers, ...(errors && { errors }), ...(nearest && { nearest }) };
    return { problem: { code, detail, extra } };
  }
}
