/** Whether akin leads its peers on what it was measured by: time to an index, time of a query, recall. */
import { round, type Target } from '../bench.ts';
import { type PeerCorpus, recallAt10 } from './corpus.ts';
import type { PeerResult, PeerSetting } from './drivers.ts';
import { median } from './timing.ts';

export function meanQueryMs({ queryMs }: PeerSetting): number {
  return queryMs.reduce((sum, ms) => sum + ms, 0) / queryMs.length;
}

/** To the ten nearest of every page: measured, or the index and the mean query for each page. */
export function allSeconds(setting: PeerSetting, { urls }: PeerCorpus): number {
  return setting.allSeconds ?? setting.indexSeconds + (meanQueryMs(setting) * urls.length) / 1000;
}

/** The same by processor time: of the index, and of queries on one thread. Undefined where that was not measured. */
export function pagesAProcessorSecond(setting: PeerSetting, corpus: PeerCorpus): number | undefined {
  const { indexCpuSeconds, indexSeconds } = setting;
  if (indexCpuSeconds === undefined) return undefined;
  return corpus.urls.length / (indexCpuSeconds + allSeconds(setting, corpus) - indexSeconds);
}

/**
 * One target a figure: that of the best peer, each figure from whichever setting of a peer is best at it, against
 * akin asked about a new document, its first setting. None where every peer was passed over.
 */
export function peerTargets(
  name: string,
  results: readonly (readonly [peer: string, result: PeerResult | string])[],
  corpus: PeerCorpus,
): Target[] {
  const settingsOf = (isOwn: boolean) =>
    results.flatMap(([peer, result]) =>
      (peer === 'akin') === isOwn && typeof result !== 'string' ? result.settings : [],
    );
  const [own] = settingsOf(true);
  const peers = settingsOf(false);
  if (own === undefined || peers.length === 0) return [];
  const isTimed = ({ indexCpuSeconds }: PeerSetting) => indexCpuSeconds !== undefined;
  const lead = (figure: string, cost: (setting: PeerSetting) => number, ifMissed?: string): Target => ({
    figure: `${name}: ${figure} of the best peer against ours`,
    atLeast: 1,
    reached: round(Math.min(...peers.map(cost)) / cost(own), 2),
    ...(ifMissed !== undefined && { ifMissed }),
  });
  return [
    lead(
      'index time',
      ({ indexSeconds }) => indexSeconds,
      'ours from texts holds the neighbors of every page, clusters and topics, which no peer makes; with the ' +
        'neighbors of every page on both sides see the next row',
    ),
    lead('time to the ten nearest of every page', (setting) => allSeconds(setting, corpus)),
    ...(isTimed(own) && peers.some(isTimed)
      ? [
          lead('processor time of the ten nearest of every page', (setting) => {
            return 1 / (pagesAProcessorSecond(setting, corpus) ?? 0);
          }),
        ]
      : []),
    lead(
      'median query time',
      ({ queryMs }) => median(queryMs),
      'a peer that is quicker looks at few of the pages: the table has its recall',
    ),
    {
      figure: `${name}: recall@10, that of the best peer at least`,
      atLeast: round(Math.max(...peers.map(({ answers }) => recallAt10(corpus, answers)))),
      reached: round(recallAt10(corpus, own.answers)),
    },
  ];
}
