/** A thread that answers questions to routes; `threads/threads.ts` starts it, and says which. */
import { workerData } from 'node:worker_threads';
import type { ThreadOrder } from '../index/index-source.ts';
import { liveIndex } from '../reads/live/live-index.ts';
import type { SegmentChange } from '../reads/live/segment.ts';
import type { Reads } from '../reads/reads.ts';
import { openIndex } from '../reads/shards/open-shards.ts';
import { Work } from '../reads/work.ts';
import { Rules, type RulesChange } from '../rules/rules.ts';
import { answerJobs } from '../threads/jobs.ts';
import type { Job } from '../threads/threads.ts';
import type { Answering } from './route/route.ts';
import { ROUTES } from './table.ts';

const { paths, peers, generation: wanted, exactSearchUs, pending } = workerData as ThreadOrder;
const { index, setLost, hear } =
  peers === undefined
    ? await openFiles()
    : { ...(await import('../reads/shards/peers.ts')).openOrder(peers), hear() {} };
if (index.facts.id !== wanted) throw new Error(`${paths.join(', ')} has been replaced`);
const table: Readonly<Record<string, Partial<Answering<never>>>> = ROUTES;

const answer = async ({ route, question, links, lost, stop }: Job) => {
  if (links !== null && index.links.held === null) index.links.hold(links);
  setLost(lost);
  const make = (reads: Reads) => table[route]!.answer!(reads, question as never);
  return index.answer(make, new Work(Number.POSITIVE_INFINITY, stop));
};
answerJobs(answer, undefined, hear);

async function openFiles() {
  const options = { preload: false, ...(exactSearchUs !== undefined && { exactSearchUs }) };
  const opened = await openIndex(paths, options);
  const live = pending === undefined ? null : liveIndex(opened);
  const hear = (news: SegmentChange | RulesChange) => {
    if (!('rules' in news)) return live!.segment.apply(news);
    const rules = new Rules(news.rules, news.changedMs);
    for (const { facts } of [opened, live ?? opened]) facts.rules = rules;
  };
  if (pending !== undefined) hear(pending);
  return { index: live ?? opened, setLost() {}, hear };
}
