/** A thread that answers for posted documents; `held/document-threads.ts` starts it and says what it does. */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../../errors.ts';
import type { DocumentJob, DocumentOrder, DocumentReply, Numbered } from '../held/document-threads.ts';
import { Generation } from '../held/generation.ts';
import { openShards } from '../held/open-shards.ts';
import { openOrder } from '../held/peer-generation.ts';
import { noEmptyAnswers } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import { postedAnswer } from './posted.ts';

const { paths, peers, generation: wanted, exactSearchUs } = workerData as DocumentOrder;
const emptyAnswers = noEmptyAnswers();
const options = { preload: false, exactSearchUs, emptyAnswers };
const { generation, setLost } = peers === undefined ? await openFiles() : openOrder(peers, options);
if (generation.id !== wanted) throw new Error(`${paths.join(', ')} has been replaced`);

parentPort!.on('message', async ([number, job]: Numbered<DocumentJob>) => {
  parentPort!.postMessage([number, await replyTo(job)] satisfies Numbered<DocumentReply>);
});
parentPort!.postMessage({ ready: true });

async function openFiles() {
  const opened =
    paths.length === 1 ? await Generation.open(paths[0]!, options) : await openShards(paths, options);
  return { generation: opened, setLost() {} };
}

async function replyTo(job: DocumentJob): Promise<DocumentReply> {
  try {
    if (job.links) generation.links = job.links;
    setLost(job.lost ?? []);
    const { value: answer, lost } = await generation.settle((view) => postedAnswer(view, job));
    const counted = { ...emptyAnswers };
    Object.assign(emptyAnswers, noEmptyAnswers());
    return { answer, lost, emptyAnswers: counted };
  } catch (error) {
    if (!(error instanceof Problem)) return { error: sentError(error) };
    const { code, message: detail, errors, headers, nearest } = error;
    const extra = { headers, ...(errors && { errors }), ...(nearest && { nearest }) };
    return { problem: { code, detail, extra } };
  }
}
