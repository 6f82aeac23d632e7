/** A thread that answers questions to routes; `threads/threads.ts` starts it, and says which. */
import { workerData } from 'node:worker_threads';
import type { ThreadOrder } from '../index/index-source.ts';
import type { Reads } from '../reads/reads.ts';
import { openIndex } from '../reads/shards/open-shards.ts';
import { Work } from '../reads/work.ts';
import { answerJobs } from '../threads/jobs.ts';
import type { Job } from '../threads/threads.ts';
import type { Answering } from './route/route.ts';
import { ROUTES } from './table.ts';

const { paths, peers, generation: wanted, exactSearchUs } = workerData as ThreadOrder;
const { index, setLost } =
  peers === undefined ? await openFiles() : (await import('../reads/shards/peers.ts')).openOrder(peers);
if (index.facts.id !== wanted) throw new Error(`${paths.join(', ')} has been replaced`);
const table: Readonly<Record<string, Partial<Answering<never>>>> = ROUTES;

answerJobs(async ({ route, question, links, lost, stop }: Job) => {
  if (links !== null && index.links.held === null) index.links.hold(links);
  setLost(lost);
  const make = (reads: Reads) => table[route]!.answer!(reads, question as never);
  return index.answer(make, new Work(Number.POSITIVE_INFINITY, stop));
});

async function openFiles() {
  const options = { preload: false, ...(exactSearchUs !== undefined && { exactSearchUs }) };
  return { index: await openIndex(paths, options), setLost() {} };
}
