/** What a journal has of a page, and whether it is still what was written. */
import { createHash } from 'node:crypto';
import { canonicalUrl } from '../../url/canonical-url.ts';

/** The columns of an entry, as they are read: damage may have made them anything. */
export interface StoredRecord {
  readonly sequence: number;
  readonly url: unknown;
  readonly record: unknown;
  readonly isGone: unknown;
  readonly digest: unknown;
  readonly textDigest: unknown;
  readonly datedMs: unknown;
  readonly atMs: unknown;
  readonly firstSequence: unknown;
}

/** Ends each record. */
const DATE = /,"fetched_at":"([^"]{1,40})"\}$/;
const HEX = /^[0-9a-f]+$/;

/** Of all that a record says but its date, as JSON. */
export function saidDigest(said: string): string {
  return createHash('sha256').update(said).digest('hex');
}

/** What says that a page is gone, without its date. */
export function goneRecord(url: string): string {
  return JSON.stringify({ url, status: 410 });
}

/** What shows that a record is not what was written; null where nothing does. */
export function recordFault({ url, record, digest, ...rest }: StoredRecord): string | null {
  if (typeof url !== 'string') return 'its URL is no text';
  if (typeof record !== 'string') return 'it has no text';
  const date = DATE.exec(record);
  if (date === null) return 'it has no date';
  const said = `${record.slice(0, date.index)}}`;
  if (saidDigest(said) !== digest) return 'it is not the text of its digest';
  if (recordUrl(said) !== url) return 'it is of another URL';
  return columnFault(rest, Date.parse(date[1]!));
}

/** @param saidMs the date in the record. */
function columnFault(
  {
    sequence,
    isGone,
    textDigest,
    datedMs,
    atMs,
    firstSequence,
  }: Omit<StoredRecord, 'url' | 'record' | 'digest'>,
  saidMs: number,
): string | null {
  if (datedMs !== saidMs) return 'it has another date than was written';
  if (isGone !== 0 && isGone !== 1) return 'it says neither that the page is gone nor that it is there';
  const isDigest =
    typeof textDigest === 'string' && (isGone === 1 ? textDigest === '' : HEX.test(textDigest));
  if (!isDigest) return 'the digest of its title and text is none';
  if (!Number.isSafeInteger(atMs)) return 'when it came is no time';
  const isNumber = Number.isSafeInteger(firstSequence) && (firstSequence as number) <= sequence;
  return isNumber ? null : 'the number that it came with first is none';
}

function recordUrl(said: string): string | null {
  try {
    const { url } = JSON.parse(said) as { readonly url?: unknown };
    return typeof url === 'string' ? canonicalUrl(url) : null;
  } catch {
    return null;
  }
}
