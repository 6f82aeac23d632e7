/** A thread that answers for posted documents; `held/document-threads.ts` starts it and says what it does. */
import { parentPort, workerData } from 'node:worker_threads';
import { sentError } from '../../errors.ts';
import type { DocumentJob, DocumentOrder, DocumentReply } from '../held/document-threads.ts';
import { Generation } from '../held/generation.ts';
import { openShards } from '../held/open-shards.ts';
import { noEmptyAnswers } from '../http/metrics.ts';
import { Problem } from '../http/problem.ts';
import { postedAnswer } from './posted.ts';

const { paths, generation: wanted, exactSearchUs } = workerData as DocumentOrder;
const emptyAnswers = noEmptyAnswers();
const options = { preload: false, exactSearchUs, emptyAnswers };
const generation =
  paths.length === 1 ? await Generation.open(paths[0]!, options) : await openShards(paths, options);
if (generation.id !== wanted) throw new Error(`${paths.join(', ')} has been replaced`);

parentPort!.on('message', (job: DocumentJob) => parentPort!.postMessage(replyTo(job)));
parentPort!.postMessage({ ready: true } satisfies DocumentReply);

function replyTo(job: DocumentJob): DocumentReply {
  try {
    if (job.links) generation.links = job.links;
    const answer = postedAnswer(generation, job);
    const counted = { ...emptyAnswers };
    Object.assign(emptyAnswers, noEmptyAnswers());
    return { answer, emptyAnswers: counted };
  } catch (error) {
    if (!(error instanceof Problem)) return { error: sentError(error) };
    const { code, message: detail, errors, headers, nearest } = error;
    const extra = { headers, ...(errors && { errors }), ...(nearest && { nearest }) };
    return { problem: { code, detail, extra } };
  }
}
