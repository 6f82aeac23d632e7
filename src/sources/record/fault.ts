import type { Fault, SkipReason } from './record.ts';

/** Where a record stands, and whose it is as far as that is known. */
export interface Place {
  readonly where: string;
  readonly url: string | null;
}

export function faultOf(reason: SkipReason, place: Place, detail: string): Fault {
  const { where, url } = place;
  return { kind: 'fault', reason, url, where: url === null ? where : `${where} ${url}`, detail };
}

/** What stands at a gap in the bytes of an input, or at an end too early. */
export function damageFault(reason: SkipReason, place: Place, detail: string): Fault {
  return { ...faultOf(reason, place, detail), isDamage: true };
}

/** Whether it is not known which pages are left out here, or how many. */
export function hidesPages({ url, reason, isDamage }: Omit<Fault, 'kind'>): boolean {
  return isDamage === true || (url === null && (reason === 'unreadable' || reason === 'too_large'));
}

/** The status of an answer without a body of its own, to who has one. */
const NOT_MODIFIED = 304;

export function statusFault(status: number, place: Place, fetchedAtMs: number | null): Fault {
  const fault = faultOf('status', place, `HTTP status ${status}`);
  return { ...fault, status, fetchedAtMs, ...(status === NOT_MODIFIED && { isAsBefore: true }) };
}

export function tooLargeFault(sizeBytes: number, maxPageBytes: number, place: Place): Fault {
  return faultOf('too_large', place, `${sizeBytes} bytes of HTML or text; ${maxPageBytes} are the most`);
}

const ROBOTS_TXT = /^https?:\/\/[^/]*\/robots\.txt(?:[?#]|$)/i;

/** Of what a site says to robots; null for any other URL. */
export function robotsFault(url: string, place: Place): Fault | null {
  return ROBOTS_TXT.test(url) ? faultOf('media_type', place, 'rules for robots') : null;
}
