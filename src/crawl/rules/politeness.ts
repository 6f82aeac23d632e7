/** How long a host is left alone. */
import { utcMs } from '../../lib/utc-ms.ts';

/** Mercator's: a server that answers slowly is asked seldom. */
const FETCH_TIME_FACTOR = 10;
/** A gap is never longer, whatever robots.txt asks for. */
const MAX_GAP_MS = 60_000;
/** A server that asks to be left alone for longer is left alone until the next run. */
export const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_BACKOFF_MS = 10 * 60_000;

/** @param delayMs least gap that the operator wants; 0 for none. @param crawlDelayMs what robots.txt asks for, or null. */
export function gapMs(delayMs: number, lastFetchMs: number, crawlDelayMs: number | null): number {
  const own = delayMs === 0 ? 0 : Math.max(delayMs, FETCH_TIME_FACTOR * lastFetchMs);
  return Math.max(Math.min(MAX_GAP_MS, Math.max(own, crawlDelayMs ?? 0)), delayMs);
}

/** No host waits for longer between two fetches. */
export function longestGapMs(delayMs: number): number {
  return Math.max(MAX_GAP_MS, delayMs);
}

/** Wait before the next try of a host that failed `failures` times in a row. */
export function backoffMs(retryMs: number, failures: number): number {
  return Math.min(MAX_BACKOFF_MS, retryMs * 2 ** Math.max(0, failures - 1));
}

/** The wait that a Retry-After asks for, in seconds or as a date; null where it says nothing. */
export function retryAfterMs(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  const waitMs = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : utcMs(value) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
