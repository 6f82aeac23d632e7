/** Pages as they are handed over: records of JSON, as builds read them. */
import { createHash } from 'node:crypto';
import { unpackVectors } from '../../features/vectors.ts';
import { recordItem, unknownFault, unknownMembers } from '../../sources/jsonl.ts';
import { fieldsOf } from '../../sources/record/captured-page.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { ProblemCode } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';

/** Of a page, as in other bodies of documents. */
const MAX_PAGE_BYTES = 4 * 2 ** 20;
/** JSON may need two bytes for one; room for the other fields. */
export const MAX_LINE_BYTES = 2 * MAX_PAGE_BYTES + 65_536;
/** What says that a page is gone. */
const GONE = [404, 410];

/** A record that can be kept. */
export interface GivenRecord {
  /** Canonical. */
  readonly url: string;
  readonly isGone: boolean;
  /** A line of JSON. */
  readonly record: string;
  /** Of all that it says but its date. */
  readonly digest: string;
  /** As it says; null where it does not. */
  readonly datedMs: number | null;
}

/** Why one cannot. */
export interface RecordFault {
  readonly url: string | null;
  readonly code: ProblemCode;
  readonly detail: string;
}

/** One without a date is of `nowMs`; `facts` are those of the index that the page is for. */
export function readRecord(value: unknown, nowMs: number, facts: IndexFacts): GivenRecord | RecordFault {
  const item = recordItem(value, { where: 'the record', url: null }, MAX_PAGE_BYTES);
  const refused = (detail: string, code: ProblemCode = 'invalid-body'): RecordFault => {
    return { url: item.url, code, detail };
  };
  const isGone = item.kind === 'fault' && GONE.includes(item.status ?? 0);
  if (item.kind === 'fault' && item.reason === 'too_large')
    return refused(`the page has ${item.detail}`, 'body-too-large');
  if (item.kind === 'fault' && !isGone) return refused(item.detail);
  const url = canonicalUrl(item.url!);
  if (url === null) return refused('url must be an absolute http or https URL');
  if (item.kind === 'capture' && item.location !== null) return refused('a redirect is no page');
  if (item.kind === 'capture' && item.badFeatures !== null) return refused(`features: ${item.badFeatures}`);
  const badFields = item.kind === 'capture' ? fieldsOf(item, {}, facts.declaredFields).badFields : null;
  if (badFields !== null) return refused(badFields);
  const [unknown] = unknownMembers(value as object);
  if (unknown !== undefined) return refused(unknownFault(unknown));
  if (item.kind === 'capture' && item.vectors + (item.badVectors ?? '') !== '') {
    const fault = item.badVectors ?? facts.vectorFault(unpackVectors(item.vectors));
    if (fault !== null) return refused(fault);
  }
  const { fetched_at: _date, ...said } = value as Record<string, unknown>;
  const datedMs = item.fetchedAtMs ?? null;
  return {
    url,
    isGone,
    record: JSON.stringify({ ...said, fetched_at: new Date(datedMs ?? nowMs).toISOString() }),
    digest: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
    datedMs,
  };
}

/** A record from the text of a line. */
export function readLine(line: string, nowMs: number, facts: IndexFacts): GivenRecord | RecordFault {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { url: null, code: 'malformed-json', detail: 'the line is not valid JSON' };
  }
  return readRecord(value, nowMs, facts);
}
