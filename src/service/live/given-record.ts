/** Pages as they are handed over: records of JSON, as builds read them. */
import { maxLineBytes, parseLine, recordItem, unknownFault, unknownMembers } from '../../sources/jsonl.ts';
import { GONE_STATUSES } from '../../sources/record/answers.ts';
import { fieldsOf } from '../../sources/record/captured-page.ts';
import { saidDigest } from '../../store/journal/journal-record.ts';
import { wantedUrlText } from '../../url/bad-url.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { MAX_PAGE_BYTES } from '../http/body.ts';
import type { ProblemCode } from '../http/problems/problem.ts';
import type { IndexFacts } from '../reads/facts.ts';

/** Of the longest record that any index takes. */
export const MAX_LINE_BYTES = maxLineBytes(MAX_PAGE_BYTES);
/** How far ahead of the clock of the server a date may be: clocks differ, and what was read later could never take its place. */
const MAX_AHEAD_MS = 86_400_000;

/** A record that can be kept. */
export interface GivenRecord {
  /** Canonical. */
  readonly url: string;
  readonly isGone: boolean;
  /** A line of JSON: all that it says but its date. */
  readonly said: string;
  /** Of that. */
  readonly digest: string;
  /** As `packVectors` packs them. */
  readonly vectors: string;
  /** As it says; null where it does not. */
  readonly datedMs: number | null;
}

/** The line that a build reads. */
export function datedLine({ said }: GivenRecord, datedMs: number): string {
  return `${said.slice(0, -1)},"fetched_at":"${new Date(datedMs).toISOString()}"}`;
}

/** Why one cannot. */
export interface RecordFault {
  readonly url: string | null;
  readonly code: ProblemCode;
  readonly detail: string;
}

/** What a build would leave out is a fault. `facts` are those of the index that the page is for. */
export function readRecord(value: unknown, nowMs: number, facts: IndexFacts): GivenRecord | RecordFault {
  const item = recordItem(value, { where: 'the record', url: null }, facts.maxPageBytes);
  const refused = (detail: string, code: ProblemCode = 'invalid-body'): RecordFault => {
    return { url: item.url, code, detail };
  };
  const isGone = item.kind === 'fault' && GONE_STATUSES.has(item.status);
  if (item.kind === 'fault' && item.reason === 'too_large')
    return refused(`the page has ${item.detail}`, 'body-too-large');
  if (item.kind === 'fault' && !isGone) return refused(item.detail);
  const url = canonicalUrl(item.url!);
  if (url === null) return refused(`url must be ${wantedUrlText(item.url!)}`);
  if (item.kind === 'capture' && item.location !== null) return refused('a redirect is no page');
  if (item.kind === 'capture' && item.badFeatures !== null) return refused(`features: ${item.badFeatures}`);
  const badFields = item.kind === 'capture' ? fieldsOf(item, {}, facts.declaredFields).badFields : null;
  if (badFields !== null) return refused(badFields);
  if (item.kind === 'capture' && item.badDates !== null) return refused(item.badDates);
  const [unknown] = unknownMembers(value as object);
  if (unknown !== undefined) return refused(unknownFault(unknown));
  if (item.kind === 'capture' && item.badVectors !== null) return refused(item.badVectors);
  const datedMs = item.fetchedAtMs ?? null;
  if (datedMs !== null && datedMs > nowMs + MAX_AHEAD_MS)
    return refused('fetched_at is more than a day ahead of the clock of the server');
  const { fetched_at: _date, ...rest } = value as Record<string, unknown>;
  const said = JSON.stringify(rest);
  const digest = saidDigest(said);
  const record = { url, isGone, said, digest, vectors: item.kind === 'capture' ? item.vectors : '', datedMs };
  const lineBytes = Buffer.byteLength(datedLine(record, datedMs ?? nowMs));
  const most = maxLineBytes(facts.maxPageBytes);
  if (lineBytes > most)
    return refused(`the record has ${lineBytes} bytes as JSON; ${most} are the most`, 'body-too-large');
  return record;
}

/** A record from the text of a line. */
export function readLine(line: string, nowMs: number, facts: IndexFacts): GivenRecord | RecordFault {
  let value: unknown;
  try {
    value = parseLine(line);
  } catch (error) {
    return { url: null, code: 'malformed-json', detail: (error as Error).message };
  }
  return readRecord(value, nowMs, facts);
}
