/** What of an index is worth a look: found by asking, once for each generation. */
import { COPY } from '../relations/copy.ts';
import type { ClusterSummaryAnswer } from '../service/schemas/answers/cluster-answers.ts';
import type { IndexAnswer } from '../service/schemas/answers/index-answers.ts';
import type { HistoryAnswer } from '../service/schemas/answers/time-answers.ts';
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
  /** A page of which several sweeps have other texts. */
  readonly changed: Named | null;
  /** A page that the latest sweep has no more. */
  readonly lost: Named | null;
}

const TOPICS_SHOWN = 24;
const LIKELY_PAGES = 6;
const FEW_TOPICS = 4;
/** Tight groups whose centers are asked for their past: every question counts against the limit of a visitor. */
const PASTS_ASKED = 20;
const HAS_NEWS: ReadonlySet<string> = new Set(['minor', 'major', 'rewritten']);

/** Of the generation that was shown last: the same for every visitor. */
let shown: { readonly generation: string; readonly exhibits: Promise<Exhibits> } | null = null;

export function exhibits(context: Context, card: IndexAnswer): Promise<Exhibits> {
  if (shown?.generation !== card.generation) {
    const found = find(context, card);
    shown = { generation: card.generation, exhibits: found };
    found.catch(() => (shown = null));
  }
  return shown.exhibits;
}

async function find(context: Context, { relations, sweeps }: IndexAnswer): Promise<Exhibits> {
  const holdsCopies = relations.some(({ by }) => by === COPY.name);
  const topics = await readTopics(context);
  const centers = topics.slice(0, LIKELY_PAGES).map(({ center }) => center.url);
  const across = await relatedAcross(context, centers);
  const copied = holdsCopies ? await firstCopied(context) : null;
  const pasts = holdsCopies && sweeps.length > 1 ? await eventful(context) : { changed: null, lost: null };
  return { topics, across, copied, ...pasts };
}

async function readTopics(context: Context): Promise<ClusterSummaryAnswer[]> {
  for (const fetched of ['only', 'include'] as const) {
    const levels = await levelTotals(context, fetched);
    // The broadest with a choice.
    const broadest = levels.findLastIndex((total) => total >= FEW_TOPICS);
    const list = { level: Math.max(broadest, 0), limit: TOPICS_SHOWN, fetched, examples: TOPIC_EXAMPLES };
    const { clusters } = await context.ask.answer('clusters', list);
    const topics = clusters.filter(({ size }) => size > 1);
    if (topics.length > 0) return topics;
  }
  return [];
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

/** Where one page is lost, those near to it are likely to have changed. */
async function eventful(context: Context): Promise<Pick<Exhibits, 'changed' | 'lost'>> {
  const list = { level: 0, limit: PASTS_ASKED, fetched: 'only' } as const;
  const { clusters } = await context.ask.answer('clusters', list);
  const pasts = await pastsOf(
    context,
    clusters.map(({ center }) => center),
  );
  const lost = pasts.find(({ state }) => state === 'not_seen_since' || state === 'gone') ?? null;
  const changed = pasts.find(hasChanged) ?? (lost === null ? null : await changedNear(context, lost.url));
  return { changed, lost };
}

async function changedNear(context: Context, url: string): Promise<Named | null> {
  const { related } = await context.ask.answer('related', { url, fetched: 'only' });
  return (await pastsOf(context, related)).find(hasChanged) ?? null;
}

function pastsOf({ ask }: Context, pages: readonly Named[]): Promise<HistoryAnswer[]> {
  return Promise.all(pages.map(({ url }) => ask.answer('history', { url, limit: 100 })));
}

function hasChanged({ state, captures }: HistoryAnswer): boolean {
  return state === 'current' && captures.some(({ changed }) => HAS_NEWS.has(changed));
}
