import type { CaptureRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import { makeCursor } from '../../http/request-key.ts';
import type { CaptureAnswer, HistoryAnswer } from '../../schemas/time-answers.ts';
import { type CopySource, copySource } from '../copies/copy-source.ts';
import { fetchedAt, stateOf } from '../pages/last-seen.ts';
import { type ChangeFigures, changeBetween } from './change.ts';

/** The body of GET /history: oldest capture first. Errors  Problem `relation-not-in-index`. */
export function historyAnswer(
  generation: Generation,
  pageId: number,
  limit: number,
  offset: number,
  hash: string,
): HistoryAnswer {
  const source = copySource(generation);
  const { url, title } = generation.reader.page(pageId);
  const captures = generation.reader.captures(pageId);
  const shown = captures.slice(offset, offset + limit);
  return {
    url,
    title,
    generation: generation.id,
    ...stateOf(generation, pageId),
    total: captures.length,
    captures: shown.map((capture, i) => captureAnswer(source, captures[offset + i - 1], capture)),
    next: offset + limit < captures.length ? makeCursor(generation.id, hash, offset + limit) : null,
  };
}

function captureAnswer(
  { versions }: CopySource,
  before: CaptureRecord | undefined,
  capture: CaptureRecord,
): CaptureAnswer {
  const version = versions.get(capture.versionId);
  const change = before === undefined ? null : changeBetween(versions.get(before.versionId), version);
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
