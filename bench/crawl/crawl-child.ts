/** Crawls page-server.ts from one page, politeness off, archive and log written. */

import assert from 'node:assert/strict';
import { crawl } from '../../src/crawl/crawl.ts';
import { systemResolve } from '../../src/net/dns-cache.ts';
import { SETTINGS } from '../../test/crawl/loopback.ts';
import { report } from './report.ts';

const [port, pageCount, hostCount, folder] = process.argv.slice(2) as [string, string, string, string];
const done = report();
const { state } = await crawl(
  {
    folder,
    mode: 'new',
    settings: {
      ...SETTINGS,
      slots: Number(hostCount),
      scope: 'any',
      include: '^http://127\\.',
      maxPageBytes: 10 * 2 ** 20,
    },
    changed: {},
    seeds: [{ url: `http://127.0.0.1:${port}/0`, kind: 'page', depth: 0 }],
    indexPath: null,
    resolve: systemResolve,
    signal: new AbortController().signal,
  },
  { now: Date.now, random: Math.random, retryMs: 1000 },
  () => {},
);
assert.ok(state.counts.responses < 1.01 * Number(pageCount), 'nothing else is fetched');
done({ pages: state.counts.statuses['200'] ?? 0, bytes: state.counts.bytes });
