import { andThen, type OrLater } from '../../../lib/or-later.ts';
import { parseCondition, passes } from '../../../page/fields/field-condition.ts';
import { wantedUrlText } from '../../../url/bad-url.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { shardOf } from '../../../url/shard.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { pageProblem, parameterProblem } from '../../http/problems/problem.ts';
import { ahead } from '../../reads/ahead.ts';
import { type Reads, urlsOf } from '../../reads/reads.ts';
import { foundBy } from './last-seen.ts';

const NEAREST = 3;

/**
 * Pages that somebody may have meant by the canonical URL of none: its other spellings (http or https, with or without
 * www.), then the pages whose URLs share the most with it, of its host alone.
 */
async function similarUrls(reads: Reads, url: string): Promise<string[]> {
  const spellings = spellingsOf(url);
  const meant = await Promise.all(
    spellings.map(async (spelling) => {
      const pageId = await reads.idOf(spelling);
      return pageId < 0 ? [] : urlsOf(reads, [await reads.successor(pageId)]);
    }),
  );
  const found = new Set(meant.flat());
  if (found.size >= NEAREST) return [...found].slice(0, NEAREST);
  for await (const [, pages] of ahead(reads, spellings, (one) => reads.nearestUrls(one, NEAREST))) {
    for (const page of pages) found.add(checkedUrl(page.url));
    if (found.size >= NEAREST) break;
  }
  return [...found].slice(0, NEAREST);
}

function spellingsOf(url: string): string[] {
  const [scheme, rest] = url.split('://', 2) as [string, string];
  const bare = rest.startsWith('www.') ? rest.slice(4) : `www.${rest}`;
  const other = scheme === 'https' ? 'http' : 'https';
  const spellings = [url, `${other}://${rest}`, `${scheme}://${bare}`, `${other}://${bare}`];
  // An address, such as 10.0.0.1, has no www.
  return spellings.filter((spelling) => URL.canParse(spelling));
}

const POST_IT = 'POST /similar finds what is related to its content';

/** Errors  Problem `invalid-parameters` that names the parameter. */
export function canonicalParameter(parameter: string, value: string): string {
  const url = canonicalUrl(value);
  if (url !== null) return url;
  const wanted = wantedUrlText(value);
  throw parameterProblem(parameter, `must be ${wanted}`, value, wanted);
}

/**
 * Id of the page that speaks for a canonical URL now: its own, or that of which it is an alias. A page that a sweep found
 * to lead elsewhere is as any alias. `advice` is what to do about a URL that is not there.
 *
 * Errors  Problem `page-not-indexed`.
 */
export function locate(reads: Reads, url: string, advice = POST_IT): OrLater<number> {
  return andThen(locateStored(reads, url, advice), (pageId) => speakerOf(reads, pageId, url));
}

/** The page that speaks for one that a URL has found. Errors  Problem `shard-unavailable`. */
function speakerOf(reads: Reads, pageId: number, url: string): OrLater<number> {
  return andThen(reads.successor(pageId), (speaker) => {
    reads.requireHome(speaker, url);
    return speaker;
  });
}

/** Whether a page has what `within` asks for; any where it asks nothing. */
export async function isWithin(reads: Reads, pageId: number, within: string | undefined): Promise<boolean> {
  if (within === undefined) return true;
  const { name, tests } = parseCondition(within)!;
  return passes(await reads.pageFields(pageId), name, tests!);
}

/** As `locate`, of pages that have what `within` asks for; of others nothing is said. Errors  Problem `page-not-indexed`. */
export function locateWithin(
  reads: Reads,
  url: string,
  within: string | undefined,
  advice = POST_IT,
): OrLater<number> {
  return within === undefined ? locate(reads, url, advice) : locateAmong(reads, url, within, advice);
}

async function locateAmong(reads: Reads, url: string, within: string, advice: string): Promise<number> {
  if (await isKnown(reads, url, within)) return locate(reads, url, advice);
  throw pageProblem(url, 'is not in the index', advice, []);
}

/** Whether a canonical URL leads to a page that has what `within` asks for. */
export async function isKnown(reads: Reads, url: string, within: string | undefined): Promise<boolean> {
  const { pageId } = await reads.find(url);
  return pageId >= 0 && isWithin(reads, await speakerOf(reads, pageId, url), within);
}

/** As `locate`, but a page that leads elsewhere now keeps its own id: it has a past from earlier sweeps. */
export function locateStored(reads: Reads, url: string, advice = POST_IT): OrLater<number> {
  return andThen(reads.find(url), ({ pageId }) => {
    if (pageId < 0) return notIndexed(reads, url, advice);
    return pageId < reads.facts.ownPageCount ? pageId : ofOther(reads, pageId, url);
  });
}

/** Errors  Problem `page-not-indexed`. */
async function notIndexed(reads: Reads, url: string, advice: string): Promise<never> {
  requireOwnUrl(reads, url);
  const [gone, similar] = await Promise.all([goneText(reads, url), similarUrls(reads, url)]);
  throw pageProblem(url, `is not in the index${gone}`, advice, similar);
}

/** What is left of a URL that was the canonical one of a page, or never one: which sweep found it gone. */
async function goneText(reads: Reads, url: string): Promise<string> {
  const answer = await reads.otherAnswer(url);
  const found = answer?.kind === 'gone' ? foundBy(reads, answer.sweepId, answer) : null;
  if (found === null) return '';
  const day = found.fetched_at?.slice(0, 'YYYY-MM-DD'.length);
  return `: the sweep ${found.sweep}${day === undefined ? '' : ` (${day})`} found it gone`;
}

/** Errors  Problem `page-not-indexed` where only another shard can say whether the index has the URL. */
function requireOwnUrl({ facts }: Reads, url: string): void {
  if (facts.shard === null) return;
  const { number, count } = facts.shard;
  const shard = shardOf(url, count);
  if (shard === number) return;
  throw pageProblem(
    url,
    `belongs to shard ${shard} of ${count}, not to this one`,
    'ask a service of all shards',
  );
}

/** Errors  Problem `page-not-indexed` for a page that this shard merely names: another one has it. */
async function ofOther(reads: Reads, pageId: number, url: string): Promise<never> {
  const { count } = reads.facts.shard!;
  const shard = shardOf((await reads.page(pageId)).url, count);
  throw pageProblem(url, `is in shard ${shard} of ${count}, not in this one`, 'ask a service of all shards');
}
