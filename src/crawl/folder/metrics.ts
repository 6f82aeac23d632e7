import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWords } from '../../lib/in-words.ts';
import type { CrawlProgress } from './crawl-folder.ts';

/** In the folder of a crawl. */
export const METRICS_FILE = 'metrics.prom';

/** Writes the counts of a crawl for a collector of text files of Prometheus; the file is always whole. */
export function writeMetrics(folder: string, progress: CrawlProgress): void {
  const path = join(folder, METRICS_FILE);
  writeFileSync(`${path}.new`, metricsText(progress));
  renameSync(`${path}.new`, path);
}

function metricsText({ state, urls, hosts, inFlight }: CrawlProgress): string {
  const { counts, sweep } = state;
  const { statuses, failures, skipped, ...plain } = counts;
  return [
    metric('gauge', 'akin_crawl_sweep', 'Number of the sweep.', { '': sweep }),
    metric('gauge', 'akin_crawl_queue_urls', 'URLs still to fetch.', { '': urls }),
    metric('gauge', 'akin_crawl_queue_hosts', 'Hosts that have URLs still to fetch.', { '': hosts }),
    metric('gauge', 'akin_crawl_fetches', 'Fetches being made.', { '': inFlight }),
    ...Object.entries(plain).map(([name, value]) => {
      const word = inWords(name, '_');
      return metric('counter', `akin_crawl_${word}_total`, `Count of ${word.replaceAll('_', ' ')}.`, {
        '': value,
      });
    }),
    metric('counter', 'akin_crawl_statuses_total', 'Responses by status.', labeled('status', statuses)),
    metric('counter', 'akin_crawl_failures_total', 'Fetches without response.', labeled('reason', failures)),
    metric('counter', 'akin_crawl_skipped_total', 'URLs that were not fetched.', labeled('reason', skipped)),
  ].join('');
}

function labeled(label: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([key, count]) => [`{${label}="${key}"}`, count]));
}

/** Labels are statuses and our own words: nothing in them has to be escaped. */
function metric(type: string, name: string, help: string, values: Readonly<Record<string, number>>): string {
  const lines = Object.entries(values).map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
