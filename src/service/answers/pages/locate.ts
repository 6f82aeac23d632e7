import { canonicalUrl } from '../../../url/canonical-url.ts';
import { shardOf } from '../../../url/shard.ts';
import type { Generation } from '../../held/generation.ts';
import { pageProblem, parameterProblem } from '../../http/problem.ts';
import { similarUrls } from './nearest.ts';

const ALLOWED = 'an absolute http or https URL';
const POST_IT = 'POST /similar finds what is related to its content';

/** Errors  Problem `invalid-parameters` that names the parameter. */
export function canonicalParameter(parameter: string, value: string): string {
  const url = canonicalUrl(value);
  if (url === null) throw parameterProblem(parameter, `must be ${ALLOWED}`, value, ALLOWED);
  return url;
}

/**
 * Id of the page that speaks for a canonical URL now: its own, or that of which it is an alias. A page that a sweep found
 * to lead elsewhere is as any alias. `advice` is what to do about a URL that is not there.
 *
 * Errors  Problem `page-not-indexed`.
 */
export function locate(generation: Generation, url: string, advice = POST_IT): number {
  return generation.catalog.successor(locateStored(generation, url, advice));
}

/** The same, but a page that leads elsewhere now keeps its own id: it has a past from earlier sweeps. */
export function locateStored(generation: Generation, url: string, advice = POST_IT): number {
  const pageId = generation.catalog.find(url);
  if (pageId < 0) {
    requireOwnUrl(generation, url);
    throw pageProblem(
      url,
      `is not in the index${goneText(generation, url)}`,
      advice,
      similarUrls(generation, url),
    );
  }
  requireOwn(generation, pageId, url);
  return pageId;
}

/** What is left of a URL that was the canonical one of a page, or never one: which sweep found it gone. */
function goneText({ reader }: Generation, url: string): string {
  const sweepId = reader.goneIn(url);
  const sweep = sweepId === null ? undefined : reader.sweeps().find(({ id }) => id === sweepId);
  if (sweep === undefined) return '';
  const day = new Date(sweep.startedAtMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return ` since the sweep ${sweep.name} (${day}), which found it gone`;
}

/** Errors  Problem `page-not-indexed` where only another shard can say whether the index has the URL. */
function requireOwnUrl({ reader }: Generation, url: string): void {
  if (reader.shard === null) return;
  const { number, count } = reader.shard;
  const shard = shardOf(url, count);
  if (shard === number) return;
  throw pageProblem(
    url,
    `belongs to shard ${shard} of ${count}, not to this one`,
    'ask a service of all shards',
  );
}

/** Errors  Problem `page-not-indexed` for a page that this shard merely names: another one has it. */
function requireOwn({ reader }: Generation, pageId: number, url: string): void {
  if (pageId < reader.ownPageCount) return;
  const { count } = reader.shard!;
  const shard = shardOf(reader.page(pageId).url, count);
  throw pageProblem(url, `is in shard ${shard} of ${count}, not in this one`, 'ask a service of all shards');
}
