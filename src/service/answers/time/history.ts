import { COPY } from '../../../relations/copy.ts';
import type { CaptureRecord } from '../../../store/records.ts';
import { makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { CaptureAnswer, HistoryAnswer } from '../../schemas/answers/time-answers.ts';
import { fetchedAt, stateOf } from '../pages/last-seen.ts';
import { type ChangeFigures, changeBetween } from './change.ts';

/** The body of GET /history: oldest capture first. Errors  Problem `relation-not-in-index`. */
export async function historyAnswer(
  reads: Reads,
  pageId: number,
  limit: number,
  offset: number,
  hash: string,
): Promise<HistoryAnswer> {
  const { facts } = reads;
  facts.relation(COPY.name);
  const [{ url, title }, captures, state] = await Promise.all([
    reads.page(pageId),
    reads.captures(pageId),
    stateOf(reads, pageId),
  ]);
  const shown = captures.slice(offset, offset + limit);
  return {
    url,
    title,
    generation: facts.id,
    ...state,
    total: captures.length,
    captures: await Promise.all(
      shown.map((capture, i) => captureAnswer(reads, captures[offset + i - 1], capture)),
    ),
    next: offset + limit < captures.length ? makeCursor(facts.state, hash, offset + limit) : null,
  };
}

/** A capture against the one before. */
export async function captureAnswer(
  reads: Reads,
  before: CaptureRecord | undefined,
  capture: CaptureRecord,
): Promise<CaptureAnswer> {
  const [version, versionBefore] = await Promise.all([
    reads.version(capture.versionId),
    before === undefined ? null : reads.version(before.versionId),
  ]);
  const change = versionBefore === null ? null : changeBetween(versionBefore, version);
  return {
    sweep: capture.sweep,
    fetched_at: fetchedAt(capture),
    digest: version.textDigest,
    token_count: version.tokenCount,
    ...(change === null ? FIRST : figuresOf(change)),
  };
}

type Compared = Pick<CaptureAnswer, 'changed' | 'resemblance' | 'containment' | 'measure'>;

const FIRST: Compared = { changed: 'first', resemblance: null, containment: null, measure: null };

function figuresOf({ changed, figures: { resemblance, aInB, bInA, measure } }: ChangeFigures): Compared {
  return {
    changed,
    resemblance: sixDecimals(resemblance.value),
    containment: { before_in_this: sixDecimals(aInB.value), this_in_before: sixDecimals(bInA.value) },
    measure,
  };
}
