/**
 * Lost and found: the pages that the content of a URL may have gone to.
 *
 * The last text of the lost page is compared with every text that any other page had in any sweep, each
 * without its host's template; a page is judged by the one of its texts that resembles most. Redirects and
 * canonicals say it outright; an equal title speaks for a page, and finds one that was rewritten where it is
 * related by topic, unless the page asked about is still there.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.1 ("lost and found").
 */
import { overlapOf } from '../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { CaptureRecord } from '../../store/records.ts';
import type { Generation } from '../held/generation.ts';
import { EVIDENCE, type Evidence } from '../schemas/time-answers.ts';
import { type CopyFigures, copyFigures, EQUAL } from './copy-figures.ts';
import { versionsSharing } from './copy-search.ts';
import { type CopySource, copySource, withoutTemplate } from './copy-source.ts';
import { currentTest } from './last-seen.ts';

/** Pages weighed for one URL, about: who asks wants to see a few. */
const MAX_PAGES = 300;

export interface MovedCandidate {
  readonly pageId: number;
  readonly url: string;
  readonly title: string;
  /** In the order of `EVIDENCE`. */
  readonly evidence: readonly Evidence[];
  /** Of the lost page's last text with the text of the candidate that resembles most; null where there are not two. */
  readonly figures: CopyFigures | null;
  /** Segments in which its path ends as that of the lost page. */
  readonly sharedTail: number;
  readonly isCurrent: boolean;
  readonly captures: readonly CaptureRecord[];
}

/**
 * Candidates, best first: those that the latest sweep has, then what is told, the same text, the nearest, the like-named.
 *
 * `url` is the page's own or an alias of it: then the page is itself a candidate. `least` is the share
 * of the lost text from which a text alone makes a candidate.
 *
 * Errors  Problem `relation-not-in-index`.
 */
export function movedCandidates(
  generation: Generation,
  pageId: number,
  url: string,
  least: number,
): MovedCandidate[] {
  const source = copySource(generation);
  const { reader } = generation;
  const found = new Map<number, Set<Evidence>>();
  const told = (id: number, evidence: Evidence) => found.set(id, (found.get(id) ?? new Set()).add(evidence));

  const page = reader.page(pageId);
  const isAlias = page.url !== url;
  if (isAlias) found.set(pageId, new Set());
  const leadsTo = reader.alias(url);
  if (leadsTo !== null) told(leadsTo.pageId, leadsTo.kind);

  const ownCaptures = reader.captures(pageId);
  const versionId = ownCaptures.at(-1)?.versionId ?? -1;
  const text = versionId < 0 ? null : source.versions.get(versionId).sketch;
  // Pages without a word are no copies of each other.
  const lost = text === null || text.shingleCount === 0 ? null : withoutTemplate(source, text, page.url);
  if (lost !== null) {
    for (const id of pagesSaying(source, versionId)) told(id, 'same_text');
    for (const id of pagesHolding(source, lost, least)) told(id, 'resemblance');
  }
  for (const id of found.keys()) {
    const alias = reader.aliases(id).find((one) => one.url === url);
    if (alias !== undefined) told(id, alias.kind);
  }
  const isLatest = currentTest(generation);
  // A page that is still there went nowhere: what has its title alone is another page.
  const isThere = !isAlias && leadsTo === null && isLatest(ownCaptures);
  const related = isThere ? [] : relatedByTopic(generation, pageId);
  for (const id of sameTitled(generation, pageId, [...found.keys(), ...related])) told(id, 'title');
  if (!isAlias) found.delete(pageId);

  return [...found]
    .map(([id, evidence]): MovedCandidate => {
      const captures = reader.captures(id);
      const { url: itsUrl, title } = reader.page(id);
      return {
        pageId: id,
        url: itsUrl,
        title,
        evidence: EVIDENCE.filter((kind) => evidence.has(kind)),
        figures: evidence.has('same_text') ? EQUAL : lost && nearest(source, lost, itsUrl, captures),
        sharedTail: sharedTail(url, itsUrl),
        isCurrent: isLatest(captures),
        captures,
      };
    })
    .sort(byLikelihood);
}

/** What tells one of many pages of one text from the others. */
function sharedTail(a: string, b: string): number {
  const [left, right] = [a, b].map((url) => url.split(/[/?]/).reverse());
  let count = 0;
  while (count < left!.length && left![count] === right![count]) count++;
  return count;
}

/** Pages that in some sweep had a version, at most `MAX_PAGES`, those of late sweeps first. */
function pagesSaying({ versions }: CopySource, versionId: number): Set<number> {
  const places = versions.pagesOf(versionId).sort((x, y) => y.sweepId - x.sweepId || x.pageId - y.pageId);
  return new Set(places.slice(0, MAX_PAGES).map(({ pageId }) => pageId));
}

/**
 * Pages that in some sweep held at least a share `least` of a text, at most `MAX_PAGES`, the largest shares
 * first; the resemblance of the text to them is no greater.
 */
function pagesHolding(source: CopySource, lost: ShingleSketch, least: number): Set<number> {
  const { versions } = source;
  const holding: { versionId: number; share: number }[] = [];
  for (const versionId of versionsSharing(source, lost)) {
    const { shared, ofA } = overlapOf(lost, versions.get(versionId).sketch);
    if (shared > 0 && shared >= least * ofA) holding.push({ versionId, share: shared / ofA });
  }
  holding.sort((x, y) => y.share - x.share || x.versionId - y.versionId);
  const pageIds = new Set<number>();
  for (const { versionId } of holding) {
    for (const { pageId } of versions.pagesOf(versionId)) {
      if (pageIds.size < MAX_PAGES) pageIds.add(pageId);
    }
    if (pageIds.size >= MAX_PAGES) break;
  }
  return pageIds;
}

/** Figures of the text of a page, of any sweep, that resembles most; null for a page without text. */
function nearest(
  source: CopySource,
  lost: ShingleSketch,
  url: string,
  captures: readonly CaptureRecord[],
): CopyFigures | null {
  let best: CopyFigures | null = null;
  for (const versionId of new Set(captures.map((capture) => capture.versionId))) {
    const figures = copyFigures(lost, withoutTemplate(source, source.versions.get(versionId).sketch, url));
    if (best === null || figures.resemblance.value >= best.resemblance.value) best = figures;
  }
  return best;
}

/** Those of the pages that have the title of the lost page. */
function sameTitled({ reader }: Generation, pageId: number, pageIds: readonly number[]): number[] {
  const title = plainTitle(reader.page(pageId).title);
  if (title === '') return [];
  return [...new Set(pageIds)].filter((id) => plainTitle(reader.page(id).title) === title);
}

function relatedByTopic({ catalog, card }: Generation, pageId: number): Iterable<number> {
  const topic = card.relations.find(({ name }) => name === 'topic');
  if (topic === undefined) return [];
  const { ids, start, end } = catalog.neighbours(topic, pageId);
  return ids.subarray(start, end);
}

function plainTitle(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase();
}

function byLikelihood(x: MovedCandidate, y: MovedCandidate): number {
  const told = ({ evidence }: MovedCandidate) => evidence[0] === 'redirect' || evidence[0] === 'canonical';
  const same = ({ evidence }: MovedCandidate) => evidence.includes('same_text');
  const likeness = ({ figures }: MovedCandidate) => figures?.resemblance.value ?? 0;
  const share = ({ figures }: MovedCandidate) => figures?.aInB.value ?? 0;
  return (
    Number(y.isCurrent) - Number(x.isCurrent) ||
    Number(told(y)) - Number(told(x)) ||
    Number(same(y)) - Number(same(x)) ||
    likeness(y) - likeness(x) ||
    share(y) - share(x) ||
    y.evidence.length - x.evidence.length ||
    y.sharedTail - x.sharedTail ||
    x.pageId - y.pageId
  );
}
