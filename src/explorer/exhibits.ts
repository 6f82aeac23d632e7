/** What of an index is worth a look: found by asking, once for each generation, and again once pages were written. */
import { COPY } from '../relations/copy.ts';
import type { ClusterSummaryAnswer } from '../service/schemas/answers/cluster-answers.ts';
import type { IndexAnswer } from '../service/schemas/answers/index-answers.ts';
import type { Context } from './context.ts';
import { levelTotals } from './pages/topics.ts';
import { TOPIC_EXAMPLES } from './parts/topic-link.ts';

export interface Named {
  readonly url: string;
  readonly title: string;
}

interface Exhibits {
  /** Around pages that were read, where there are any. */
  readonly topics: readonly ClusterSummaryAnswer[];
  /** A page that other sites have much on. */
  readonly across: Named | null;
  readonly copied: Named | null;
  /** A page whose text the latest sweep found changed. */
  readonly changed: Named | null;
  /** A page that the latest sweep has no more. */
  readonly lost: Named | null;
}

const TOPICS_SHOWN = 24;
const LIKELY_PAGES = 6;
const FEW_TOPICS = 4;

/** Of what was shown last: the same for every visitor. */
let shown: { readonly state: string; readonly exhibits: Promise<Exhibits> } | null = null;

interface TopicLevel {
  readonly level: number;
  readonly fetched: 'only' | 'include';
}

/** Whose topics are shown: found once for each generation, since a write takes few of them away. */
let chosen: (TopicLevel & { readonly generation: string }) | null = null;

/** What another visitor is asking for is waited for; where that visitor leaves, or is refused, it is asked for again. */
export async function exhibits(context: Context, card: IndexAnswer): Promise<Exhibits> {
  // That of the answer which is the card.
  const state = `${card.generation} ${context.ask.sequence}`;
  while (shown?.state === state) {
    const known = shown;
    try {
      return await known.exhibits;
    } catch {
      if (shown === known) shown = null;
    }
  }
  const own = { state, exhibits: find(context, card) };
  shown = own;
  const found = await own.exhibits;
  // What lacks a shard is not for those who come when it is back.
  if (context.ask.lostShards.size > 0 && shown === own) shown = null;
  return found;
}

async function find(context: Context, { generation, relations, sweeps }: IndexAnswer): Promise<Exhibits> {
  const holdsCopies = relations.some(({ by }) => by === COPY.name);
  const topics = await readTopics(context, generation);
  const centers = topics.slice(0, LIKELY_PAGES).map(({ center }) => center.url);
  const across = await relatedAcross(context, centers);
  const copied = holdsCopies ? await firstCopied(context) : null;
  const pasts = holdsCopies && sweeps.length > 1 ? await latestNews(context) : { changed: null, lost: null };
  return { topics, across, copied, ...pasts };
}

async function readTopics(context: Context, generation: string): Promise<readonly ClusterSummaryAnswer[]> {
  const known = chosen?.generation === generation ? await topicsOf(context, chosen) : [];
  if (known.length > 0) return known;
  for (const fetched of ['only', 'include'] as const) {
    const levels = await levelTotals(context, fetched);
    // The broadest with a choice.
    const level = Math.max(
      levels.findLastIndex((total) => total >= FEW_TOPICS),
      0,
    );
    const topics = await topicsOf(context, { level, fetched });
    if (topics.length === 0) continue;
    if (context.ask.lostShards.size === 0) chosen = { generation, level, fetched };
    return topics;
  }
  return [];
}

async function topicsOf({ ask }: Context, { level, fetched }: TopicLevel): Promise<ClusterSummaryAnswer[]> {
  const list = { level, limit: TOPICS_SHOWN, fetched, examples: TOPIC_EXAMPLES };
  const { clusters } = await ask.answer('clusters', list);
  return clusters.filter(({ size }) => size > 1);
}

/** Of some pages the one that has the nearest pages on other sites. */
async function relatedAcross({ ask }: Context, urls: readonly string[]): Promise<Named | null> {
  if (urls.length === 0) return null;
  const body = { urls, same_site: 'exclude', fetched: 'only', exclude_copies: true, limit: 3 };
  const { results } = await ask.answer('relatedBatch', {}, body);
  let best: Named | null = null;
  let greatest = 0;
  for (const result of results) {
    if ('error' in result) continue;
    const last = result.related.at(-1)?.similarity ?? 0;
    if (last > greatest) [best, greatest] = [result, last];
  }
  return best;
}

/** The center of the largest cluster of copies. */
async function firstCopied({ ask }: Context): Promise<Named | null> {
  const { clusters } = await ask.answer('clusters', { by: COPY.name, limit: 1 });
  const [largest] = clusters;
  return largest !== undefined && largest.size > 1 ? largest.center : null;
}

/** What the latest sweep brought: a page that changed much before one that changed little. */
async function latestNews(context: Context): Promise<Pick<Exhibits, 'changed' | 'lost'>> {
  const lost = await firstWith(context, 'lost');
  for (const news of ['major', 'minor', 'rewritten'] as const) {
    const changed = await firstWith(context, news);
    if (changed !== null) return { changed, lost };
  }
  return { changed: null, lost };
}

/** Of the pages that one question looks at. */
async function firstWith({ ask }: Context, news: string): Promise<Named | null> {
  const { pages } = await ask.answer('changes', { news, limit: 1 });
  return pages[0] ?? null;
}
