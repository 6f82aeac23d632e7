/** The color of each site of a map: the page's own, the next most frequent, and one for all others. */
import { hostAndPort } from '../parts/page-link.ts';

const MOST_COLORS = 4;

export class SiteColors {
  /** Hosts with a color of their own, that of the page in the middle first. */
  readonly hosts: readonly string[];
  /** Whether there are more. */
  readonly hasOthers: boolean;

  constructor(center: string, urls: readonly string[]) {
    const counts = new Map([[hostAndPort(center), Infinity]]);
    for (const host of urls.map(hostAndPort)) counts.set(host, (counts.get(host) ?? 0) + 1);
    const byCount = [...counts].sort((one, other) => other[1] - one[1]);
    this.hosts = byCount.slice(0, MOST_COLORS).map(([host]) => host);
    this.hasOthers = byCount.length > MOST_COLORS;
  }

  /** `site-0`, the own one, to `site-3`, or `site-other`. */
  classOf(url: string): string {
    const at = this.hosts.indexOf(hostAndPort(url));
    return at < 0 ? 'site-other' : `site-${at}`;
  }
}
