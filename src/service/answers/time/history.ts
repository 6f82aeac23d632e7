import { COPY } from '../../../relations/copy.ts';
import type { CaptureRecord, VersionRecord } from '../../../store/records.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import {
  type CaptureAnswer,
  type Change,
  type HistoryAnswer,
  MAJOR_FROM,
  MINOR_FROM,
} from '../../schemas/answers/time-answers.ts';
import type { ListQuery } from '../../schemas/parameters/parameters.ts';
import { type CopyFigures, copyFigures, EQUAL } from '../copies/copy-figures.ts';
import { fetchedAt, stateOf } from '../pages/last-seen.ts';

/** The body of GET /history: oldest capture first. Errors  Problem `relation-not-in-index`. */
export async function historyAnswer(
  reads: Reads,
  pageId: number,
  { query: { limit }, offset, hash }: ListQuestion<ListQuery>,
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

/**
 * How much a text changed from one capture to the next: by its digests where they tell, else by the
 * resemblance of the two sketches.
 */

interface ChangeFigures {
  readonly changed: Exclude<Change, 'first'>;
  /** a is the text before, b the one after. */
  readonly figures: CopyFigures;
}

function changeBetween(before: VersionRecord, after: VersionRecord): ChangeFigures {
  if (before.textDigest === after.textDigest) return { changed: 'identical', figures: EQUAL };
  if (before.tokenDigest === after.tokenDigest) return { changed: 'lexically_equal', figures: EQUAL };
  if (before.shingleDigest === after.shingleDigest) return { changed: 'shingle_equal', figures: EQUAL };
  const figures = copyFigures(before.sketch, after.sketch);
  const { value } = figures.resemblance;
  return { changed: value >= MINOR_FROM ? 'minor' : value >= MAJOR_FROM ? 'major' : 'rewritten', figures };
}
