import type { CrawlProgress } from '../../crawl/folder/crawl-folder.ts';
import type { HostRecord } from '../../store/frontier/records.ts';
import {
  formatCount,
  formatCounts,
  formatDuration,
  formatNumberOf,
  formatSize,
  left,
  renderTable,
  right,
} from './table.ts';
import { printable } from './terminal.ts';

const ENDINGS = {
  complete: 'complete',
  max_pages: 'ended at --max-pages',
  stopped: 'stopped',
} as const;

/** What a crawl did, in a few lines. */
export function crawlSummary(
  folder: string,
  { state, urls, hosts }: Omit<CrawlProgress, 'inFlight'>,
): string {
  const { counts, ending, sweep, startedAtMs, endedAtMs, settings } = state;
  const took = endedAtMs === null ? '' : ` after ${formatDuration(endedAtMs - startedAtMs)}`;
  const rows: [string, string][] = [
    ['crawl', `${folder}, sweep ${sweep}, ${ending === null ? 'not ended' : ENDINGS[ending]}${took}`],
    [
      'fetched',
      `${formatNumberOf(counts.responses, 'URL')}, ${formatSize(counts.bytes)}: ${formatNumberOf(counts.pages, 'page')}, ` +
        `${formatNumberOf(counts.redirects, 'redirect')}; the archive has the content of ${formatCount(counts.revisits)} already`,
    ],
    ['statuses', formatCounts(counts.statuses) || 'none'],
    ['failures', `${formatCounts(counts.failures) || 'none'}; ${formatCount(counts.retries)} tried again`],
    ['skipped', formatCounts(counts.skipped) || 'none'],
    [
      'queued',
      `${formatNumberOf(urls, 'URL')} of ${formatNumberOf(hosts, 'host')}; ${formatNumberOf(counts.retiredHosts, 'host')} given up`,
    ],
    ...(settings.parts === 1
      ? []
      : ([
          [
            'part',
            `${settings.part} of ${settings.parts}; ${formatNumberOf(counts.forwarded, 'URL')} written down for others`,
          ],
        ] as [string, string][])),
  ];
  return rows.map(([name, value]) => `${name.padEnd(10)}${value}`).join('\n');
}

export function hostTable(hosts: readonly HostRecord[]): string {
  const rows = hosts.map(({ name, fetched, queued, retired }) => [
    printable(name),
    formatCount(fetched),
    formatCount(queued),
    retired ?? '',
  ]);
  const columns = [left('Host'), right('Fetched'), right('Queued'), left('Given up')];
  return renderTable(columns, rows);
}
