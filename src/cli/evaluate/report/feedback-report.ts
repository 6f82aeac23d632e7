/** What `akin evaluate --feedback` reports: the lists of an index against judgements of answers. */
import { InputError } from '../../../errors.ts';
import {
  type FeedbackAt,
  type FeedbackOf,
  type FeedbackOrder,
  judgeByFeedback,
} from '../../../evaluate/feedback.ts';
import type { RatioInterval } from '../../../lib/intervals/ratio-interval.ts';
import { keptIn } from '../../../lib/kept.ts';
import type { StoredFeedback } from '../../../store/feedback-log.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { formatCount, formatNumberOf, renderTable, right } from '../../terminal/table.ts';
import { pageThere } from '../judgements.ts';
import { formatShare } from './report-tables.ts';

interface FeedbackReport {
  readonly index: { readonly path: string; readonly generation: string; readonly relation: string };
  readonly feedback: FeedbackFacts;
  readonly lists: readonly FeedbackAt[];
  readonly order: FeedbackOrder;
  readonly notes: readonly string[];
}

interface FeedbackFacts {
  readonly path: string;
  readonly judgementCount: number;
  /** Lines that are no judgement. */
  readonly unreadableCount: number;
  /** Judgements of lists by another relation. */
  readonly otherRelationCount: number;
  /** Judgements with a page that the index does not hold, or that is gone. */
  readonly missingCount: number;
  /** Pairs that were judged better as often as worse; they are left out. */
  readonly splitCount: number;
  /** Pages asked about, and pairs, that are measured. */
  readonly pageCount: number;
  readonly betterCount: number;
  readonly worseCount: number;
}

/** Errors  InputError AKIN_ERR_INPUT_EMPTY where nothing is left to measure. */
export function reportFeedback(
  reader: IndexReader,
  relation: RelationRecord,
  path: string,
  stored: StoredFeedback,
  at: readonly number[],
): FeedbackReport {
  const { feedback, facts } = findFeedback(reader, relation, path, stored);
  const listOf = (page: number) => [...reader.neighbors(relation.id, page).ids];
  const { at: lists, order } = judgeByFeedback(listOf, feedback, at);
  const index = { path: reader.path, generation: reader.generation, relation: relation.name };
  return { index, feedback: facts, lists, order, notes: NOTES };
}

const NOTES = [
  'A pair counts once, as most of its judgements have it. Only pages that somebody judged count.',
  'Callers judge what they are shown: pages that no list has shown have no judgement, so the figures favor the lists ' +
    'that were judged. They compare two builds of one collection; they are no share of all good pages.',
  'Intervals are of 95 % (Wilson), with the page that was asked about as the unit.',
];

function findFeedback(
  reader: IndexReader,
  relation: RelationRecord,
  path: string,
  { entries, unreadableCount }: StoredFeedback,
): { feedback: FeedbackOf<number>; facts: FeedbackFacts } {
  const balances = new Map<number, Map<number, number>>();
  let [otherRelationCount, missingCount] = [0, 0];
  const pageOf = (url: string) => {
    const canonical = canonicalUrl(url);
    return canonical === null ? -1 : pageThere(reader, canonical);
  };
  for (const { by, url, related_url, judgement } of entries) {
    if (by !== relation.name) {
      otherRelationCount++;
      continue;
    }
    const [page, other] = [pageOf(url), pageOf(related_url)];
    if (page < 0 || other < 0 || page === other) {
      missingCount++;
      continue;
    }
    const own = keptIn(balances, page, () => new Map());
    own.set(other, (own.get(other) ?? 0) + (judgement === 'better' ? 1 : -1));
  }
  const feedback = new Map<number, Map<number, boolean>>();
  let [splitCount, betterCount, worseCount] = [0, 0, 0];
  for (const [page, own] of balances) {
    const judged = new Map<number, boolean>();
    for (const [other, balance] of own) {
      if (balance === 0) splitCount++;
      else {
        judged.set(other, balance > 0);
        if (balance > 0) betterCount++;
        else worseCount++;
      }
    }
    if (judged.size > 0) feedback.set(page, judged);
  }
  if (feedback.size === 0) {
    throw new InputError(
      'AKIN_ERR_INPUT_EMPTY',
      `${path} judges no list of ${reader.path}: ${formatCount(otherRelationCount)} of another relation, ` +
        `${formatCount(missingCount)} with a page that is gone or not in the index, ${formatNumberOf(splitCount, 'pair')} undecided`,
      { hint: 'give the feedback of this collection' },
    );
  }
  const facts: FeedbackFacts = {
    path,
    judgementCount: entries.length,
    unreadableCount,
    otherRelationCount,
    missingCount,
    splitCount,
    pageCount: feedback.size,
    betterCount,
    worseCount,
  };
  return { feedback, facts };
}

/** The report for a terminal. */
export function renderFeedback({ index, feedback, lists, order, notes }: FeedbackReport): string {
  const { path, judgementCount, unreadableCount, otherRelationCount, missingCount, splitCount } = feedback;
  const facts = [
    ['index', `${index.path}, generation ${index.generation}, lists by ${index.relation}`],
    [
      'feedback',
      `${path}: ${formatNumberOf(judgementCount, 'judgement')}; ${formatNumberOf(feedback.betterCount, 'pair')} better, ` +
        `${formatCount(feedback.worseCount)} worse, of ${formatNumberOf(feedback.pageCount, 'page')}`,
    ],
    [
      'left out',
      `${formatCount(missingCount)} with a page that is gone or not in the index, ${formatCount(otherRelationCount)} of another ` +
        `relation, ${formatNumberOf(splitCount, 'pair')} undecided, ${formatNumberOf(unreadableCount, 'line')} unreadable`,
    ],
    [
      'order',
      `${formatRatio(order.agreement)} of the pairs of one better and one worse page stand in this order: ` +
        `${formatCount(order.agreeing)} do, ${formatCount(order.opposed)} stand in the other, ` +
        `of ${formatCount(order.tied)} neither is in the list`,
    ],
  ];
  const table = renderTable(
    [
      right('k'),
      right('Judged pages shown'),
      right('better of them'),
      right('of all better'),
      right('of all worse'),
    ],
    lists.map(({ k, shownCount, precision, better, worse }) => [
      String(k),
      formatCount(shownCount),
      ...[precision, better, worse].map(formatRatio),
    ]),
  );
  return [
    facts.map(([name, value]) => `${name!.padEnd(12)}${value}`).join('\n'),
    `Among the first k\n${table}`,
    notes.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

/** `0.812 (0.790 to 0.834)`. */
function formatRatio({ ratio, low, high }: RatioInterval): string {
  return Number.isNaN(ratio) ? '-' : `${formatShare(ratio)} (${formatShare(low)} to ${formatShare(high)})`;
}
