/** A thread that answers questions to routes; `threads/threads.ts` starts it, and says of which index. */
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

const table: Readonly<Record<string, Partial<Answering<never>>>> = ROUTES;

answerJobs(async (order: ThreadOrder) => {
  const { index, setLost, hear, close } =
    order.peers === undefined
      ? await openFiles(order)
      : { ...(await import('../reads/shards/peers.ts')).openOrder(order.peers), hear() {} };
  if (index.facts.id !== order.generation) {
    close();
    throw new Error(`${order.paths.join(', ')} has been replaced`);
  }
  const answer = async ({ route, question, links, lost, stop }: Job) => {
    if (links !== null && index.links.held === null) index.links.hold(links);
    setLost(lost);
    const make = (reads: Reads) => table[route]!.answer!(reads, question as never, index.local);
    return index.answer(make, new Work(Number.POSITIVE_INFINITY, stop));
  };
  return { answer, hear, close };
});

async function openFiles({ paths, exactSearchUs, pending, rules }: ThreadOrder) {
  const options = {
    preload: false,
    rules: new Rules(rules),
    ...(exactSearchUs !== undefined && { exactSearchUs }),
  };
  const opened = await openIndex(paths, options);
  const live = pending === undefined ? null : liveIndex(opened);
  const index = live ?? opened;
  const hear = (news: SegmentChange | RulesChange) => {
    if (!('rules' in news)) return live!.segment.apply(news);
    for (const { facts } of [opened, index]) facts.rules = new Rules(news);
  };
  if (pending !== undefined) hear(pending);
  return { index, setLost() {}, hear, close: () => index.close() };
}
