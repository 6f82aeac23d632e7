import type { StoredSweep } from '../../store/records.ts';
import { hostOf, siteOf } from '../../url/site.ts';

/**
 * Tells whether a sweep came by a page and did not meet it: one that has all there is of its site or of its host. A sweep
 * that does not say so tells nothing of pages that it did not meet.
 *
 * @returns of the URL of a page and the sweep that met it last.
 */
export function passedByTest(sweeps: readonly StoredSweep[]): (url: string, lastSweepId: number) => boolean {
  const lastOfSite = new Map<string, number>();
  const lastOfHost = new Map<string, number>();
  for (const { id, covered } of sweeps) {
    for (const site of covered.sites) lastOfSite.set(site, id);
    for (const host of covered.hosts) lastOfHost.set(host, id);
  }
  return (url, lastSweepId) =>
    (lastOfHost.get(hostOf(url)) ?? 0) > lastSweepId || (lastOfSite.get(siteOf(url)) ?? 0) > lastSweepId;
}
