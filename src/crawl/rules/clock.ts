/**
 * A clock that never goes back: hosts wait for a time, and one that goes back by a day would have them wait for a day. Where
 * `now` goes back, it goes on from the latest time that it has said.
 */
export function neverBack(now: () => number): () => number {
  let latestMs = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return () => {
    const saidMs = now();
    if (saidMs + aheadMs < latestMs) aheadMs = latestMs - saidMs;
    latestMs = saidMs + aheadMs;
    return latestMs;
  };
}
