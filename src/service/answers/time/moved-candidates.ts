/**
 * Lost and found: the pages that a text of a URL may have gone to.
 *
 *   sweeps                 1     2     3     4
 *   the URL                T     T     .     U       T is lost after the 2nd, whatever is there now
 *   where it went          .     .     T     T'      judged by T' (it has T still), and were T' another text, by T
 *   a page that had it     T     T     V     V       judged by T as well, but behind those that have it still
 *   a copy of it           T     T     T     T       there all the time: behind where it went, if that is on its host
 *
 * The text is compared with those that other pages have had since it was read: first the one that a page has now, if that
 * holds enough of it, else the one that resembles it most. Redirects and canonicals say it outright; an equal title speaks
 * for a page, and finds one that was rewritten where it is related by topic, unless the text asked about is still there.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.1 ("lost and found").
 */

import { markSketch, sharedTemplate } from '../../../join/copies/template-shingles.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import { overlapOf } from '../../../sketch/resemblance.ts';
import type { CaptureRecord } from '../../../store/records.ts';
import { hostOf } from '../../../url/site.ts';
import type { Reads } from '../../reads/reads.ts';
import { EVIDENCE, type Evidence, type State } from '../../schemas/answers/time-answers.ts';
import { type CopyFigures, copyFigures } from '../copies/copy-figures.ts';
import { type SharingVersions, versionsSharing } from '../copies/copy-search.ts';
import { type CopySource, copySource, templateOf } from '../copies/copy-source.ts';
import { isEqual, versionWording, type Wording, wordingFigures } from '../copies/wording.ts';
import { stateOf } from '../pages/last-seen.ts';
import { lostCapture } from './lost-text.ts';

/** Pages weighed for one URL, about: a reader wants to see a few. */
const MAX_PAGES = 300;
/** Of these the likeliest are compared by their texts. */
const MAX_COMPARED_TEXTS = 50;
/** Share of the lost text that a page has which comes before copies that have all of it. */
const SUCCESSOR_FROM = 0.8;

export interface MovedCandidate {
  readonly pageId: number;
  readonly url: string;
  readonly title: string;
  /** In the order of `EVIDENCE`. */
  readonly evidence: readonly Evidence[];
  /** Of the lost text with that of the candidate by which it is judged; null where there are not two. */
  readonly figures: CopyFigures | null;
  /** Whether it has the text now by which it is judged. */
  readonly holdsNow: boolean;
  /** Whether it is of the host of the lost page, came after that was last there, and has nearly all of the text. */
  readonly isSuccessor: boolean;
  /** Segments in which its path ends as that of the lost page. */
  readonly sharedTail: number;
  readonly state: State;
  readonly captures: readonly CaptureRecord[];
}

interface MovedCandidates extends Pick<SharingVersions, 'complete'> {
  /** The capture of the text that is sought; null where there is none. */
  readonly lost: CaptureRecord | null;
  /** Best first. */
  readonly candidates: readonly MovedCandidate[];
}

/**
 * Candidates, best first: those that are there as far as the sweeps know, then where a redirect or a canonical link leads that
 * is a place of the text, then those that have the text now, first what came to the host of the page since, then where any other
 * redirect leads, the nearest pages, those with the same title.
 *
 * `url` is the page's own or an alias of it: then the page is itself a candidate. `least` is the share of the lost text
 * from which a text alone makes a candidate; `sweep` names the capture whose text is sought, see `lostCapture`.
 *
 * Errors  Problem `relation-not-in-index`, and `invalid-parameters` for a sweep that did not read the page.
 */
export function movedCandidates(
  reads: Reads,
  pageId: number,
  url: string,
  least: number,
  sweep: string | undefined,
): Promise<MovedCandidates> {
  const sizeOf = ({ candidates }: MovedCandidates) => CANDIDATE_BYTES * (1 + candidates.length);
  const key = JSON.stringify(['moved', pageId, url, least, sweep]);
  return reads.found.by(key, reads, sizeOf, () => searchMoved(reads, pageId, url, least, sweep));
}

/** With some captures. */
const CANDIDATE_BYTES = 2000;

async function searchMoved(
  reads: Reads,
  pageId: number,
  url: string,
  least: number,
  sweep: string | undefined,
): Promise<MovedCandidates> {
  const source = copySource(reads);
  const found = new Map<number, Set<Evidence>>();
  const add = (id: number, evidence: Evidence) => found.set(id, (found.get(id) ?? new Set()).add(evidence));

  const [page, leadsTo, ownCaptures] = await Promise.all([
    reads.page(pageId),
    reads.alias(url),
    reads.captures(pageId),
  ]);
  const isAlias = page.url !== url;
  if (isAlias) found.set(pageId, new Set());
  if (leadsTo !== null) add(leadsTo.pageId, leadsTo.kind);

  const isInUse = !isAlias && leadsTo === null && (await stateOf(reads, pageId)).state === 'current';
  const [capture] = await Promise.all([
    lostCapture(source, ownCaptures, sweep, isInUse),
    // Asked for with it: what holds the text is looked up without its template.
    templateOf(source, hostOf(page.url)),
  ]);
  const text = capture === null ? null : await versionWording(source, capture.versionId);
  // Pages without a word are no copies of each other.
  const lost =
    capture === null || text === null || text.sketch.shingleCount === 0
      ? null
      : { text: { ...text, host: hostOf(page.url) }, capture };
  const [holding, saying, kept] = await Promise.all([
    lost && pagesHolding(source, lost.text, least),
    lost && pagesSaying(reads, lost.capture),
    capture && reads.versionText(capture.versionId),
  ]);
  for (const id of holding?.pageIds ?? []) add(id, 'resemblance');
  for (const id of saying ?? []) add(id, 'same_text');
  const aliases = await Promise.all(
    Array.from(found.keys(), async (id) => {
      // With what it is judged by.
      const [all] = await Promise.all([reads.aliases(id), reads.captures(id), stateOf(reads, id)]);
      return { id, all };
    }),
  );
  for (const { id, all } of aliases) {
    const alias = all.find((one) => one.url === url);
    if (alias !== undefined) add(id, alias.kind);
  }
  // A text that is still there went nowhere: what has its title alone is another page.
  const isThere = isInUse && capture?.versionId === ownCaptures.at(-1)!.versionId;
  const related = isThere ? [] : await relatedByWords(reads, pageId);
  const title = kept?.title ?? page.fullTitle;
  for (const id of await sameTitled(reads, title, [...found.keys(), ...related])) add(id, 'title');
  if (!isAlias) found.delete(pageId);

  const isSuccessor = (
    { figures, holdsNow }: Judgement,
    itsUrl: string,
    captures: readonly CaptureRecord[],
  ) =>
    lost !== null &&
    holdsNow &&
    figures!.aInB.value >= SUCCESSOR_FROM &&
    captures[0]!.sweepId > lost.capture.sweepId &&
    hostOf(itsUrl) === hostOf(url);
  const judge = async ([id, evidence]: readonly [number, Set<Evidence>]): Promise<MovedCandidate> => {
    const [captures, { url: itsUrl, title: itsTitle }, { state }] = await Promise.all([
      reads.captures(id),
      reads.page(id),
      stateOf(reads, id),
    ]);
    const judgement = await judged(source, lost, captures, least, sketchFigures);
    // It held the text before that was read at the URL, and does not since.
    if ((judgement.figures?.aInB.value ?? 0) < least) evidence.delete('resemblance');
    return {
      pageId: id,
      url: itsUrl,
      title: itsTitle,
      evidence: EVIDENCE.filter((kind) => evidence.has(kind)),
      ...judgement,
      isSuccessor: isSuccessor(judgement, itsUrl, captures),
      sharedTail: sharedTail(url, itsUrl),
      state,
      captures,
    };
  };
  const candidates = (await Promise.all(Array.from(found, judge)))
    .filter(
      ({ pageId: id, evidence }) => id === pageId || evidence.some((kind) => kind !== 'title' || !isThere),
    )
    .filter(({ pageId: id }) => !reads.isOutOfReach(id))
    .sort((x, y) => byLikelihood(x, y, least));
  const likeliest = await Promise.all(
    candidates.slice(0, MAX_COMPARED_TEXTS).map(async (one) => {
      const judgement = await judged(source, lost, one.captures, least, wordingFigures);
      return { ...one, ...judgement, isSuccessor: isSuccessor(judgement, one.url, one.captures) };
    }),
  );
  likeliest.sort((x, y) => byLikelihood(x, y, least));
  return {
    lost: capture,
    candidates: [...likeliest, ...candidates.slice(MAX_COMPARED_TEXTS)],
    complete: holding?.complete ?? true,
  };
}

type Judgement = Pick<MovedCandidate, 'figures' | 'holdsNow'>;
type Figures = (a: Wording, b: Wording) => Promise<CopyFigures>;

async function sketchFigures(a: Wording, b: Wording): Promise<CopyFigures> {
  return isEqual(a, b) ? wordingFigures(a, b) : copyFigures(a.sketch, b.sketch);
}

interface LostText {
  readonly text: Wording;
  readonly capture: CaptureRecord;
}

/** A candidate by its text of now, if that holds enough of the lost one, else by the one since then that resembles most. */
async function judged(
  source: CopySource,
  lost: LostText | null,
  captures: readonly CaptureRecord[],
  least: number,
  figuresOf: Figures,
): Promise<Judgement> {
  const since = captures.filter(({ sweepId }) => lost !== null && sweepId >= lost.capture.sweepId);
  const versionIds = new Set((since.length === 0 ? captures : since).map(({ versionId }) => versionId));
  const last = captures.at(-1)?.versionId;
  if (lost === null || last === undefined) return { figures: null, holdsNow: false };
  const figuresWith = async (versionId: number) =>
    figuresOf(lost.text, await versionWording(source, versionId));
  const now = await figuresWith(last);
  if (now.aInB.value >= least && now.aInB.value > 0) return { figures: now, holdsNow: true };
  let best = now;
  for (const figures of await Promise.all(Array.from(versionIds, figuresWith))) {
    if (figures.resemblance.value > best.resemblance.value) best = figures;
  }
  return { figures: best, holdsNow: false };
}

/** What distinguishes one of many pages with the same text from the others. */
function sharedTail(a: string, b: string): number {
  const [left, right] = [a, b].map((url) => url.split(/[/?]/).reverse());
  let count = 0;
  while (count < left!.length && left![count] === right![count]) count++;
  return count;
}

/** Pages that had the same text in its sweep or later, at most `MAX_PAGES`, those of late sweeps first. */
async function pagesSaying(reads: Reads, { versionId, sweepId }: CaptureRecord): Promise<Set<number>> {
  const { textDigest } = await reads.version(versionId);
  const places = (await reads.pagesOfText(textDigest)).filter((place) => place.sweepId >= sweepId);
  const named = await Promise.all(
    places.map(async (place) => ({ ...place, url: (await reads.page(place.pageId)).url })),
  );
  named.sort((x, y) => y.sweepId - x.sweepId || byUrl(x, y));
  return new Set(named.slice(0, MAX_PAGES).map(({ pageId }) => pageId));
}

/**
 * Pages that in some sweep held at least a share `least` of a text, with and without the template of both, at most
 * `MAX_PAGES`, the largest shares first; the resemblance of the text to them is no greater.
 */
async function pagesHolding(
  source: CopySource,
  lost: Wording,
  least: number,
): Promise<{ readonly pageIds: Set<number>; readonly complete: boolean }> {
  const { reads, parameters } = source;
  const { versionIds, complete } = await versionsSharing(source, lost);
  const mark = async (sketch: Wording['sketch'], host: string) =>
    markSketch(sketch, await templateOf(source, host), parameters.template_minimum_keys);
  const own = await mark(lost.sketch, lost.host!);
  const ofVersion = async (versionId: number) => {
    const { sketch, textDigest } = await reads.version(versionId);
    const { shared, ofA } = overlapOf(lost.sketch, sketch);
    if (shared === 0 || !reachesShare(shared, ofA, least)) return [];
    const places = await reads.pagesOfText(textDigest);
    return Promise.all(
      Array.from(new Set(places.map((place) => place.pageId)), async (pageId) => {
        const { url } = await reads.page(pageId);
        const template = sharedTemplate(own, await mark(sketch, hostOf(url)));
        return { pageId, url, share: ofA === template ? 0 : (shared - template) / (ofA - template) };
      }),
    );
  };
  const holding = (await Promise.all(Array.from(versionIds, ofVersion)))
    .flat()
    .filter(({ share }) => share > 0 && share >= least)
    .sort((x, y) => y.share - x.share || byUrl(x, y));
  const pageIds = new Set<number>();
  for (const { pageId } of holding) if (pageIds.size < MAX_PAGES) pageIds.add(pageId);
  return { pageIds, complete: complete && new Set(holding.map(({ pageId }) => pageId)).size <= MAX_PAGES };
}

/** Those of the pages that have the title of the lost page. */
async function sameTitled(reads: Reads, lostTitle: string, pageIds: readonly number[]): Promise<number[]> {
  const title = plainTitle(lostTitle);
  if (title === '') return [];
  const pages = await Promise.all(Array.from(new Set(pageIds), (id) => reads.page(id)));
  return pages.filter(({ fullTitle }) => plainTitle(fullTitle) === title).map(({ id }) => id);
}

async function relatedByWords(reads: Reads, pageId: number): Promise<Iterable<number>> {
  const { words } = reads.facts;
  return words === undefined ? [] : (await reads.neighbors(words.id, pageId)).ids;
}

function plainTitle(title: string): string {
  return title.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Whether a redirect or a canonical link leads there. */
function isStated({ evidence }: MovedCandidate): boolean {
  return evidence[0] === 'redirect' || evidence[0] === 'canonical';
}

/** Whether that is a place of the text: a page that was read and has nothing of it, such as the first page of a site, is none. */
export function isStatedPlace(candidate: MovedCandidate, least: number): boolean {
  const { figures } = candidate;
  return isStated(candidate) && (figures === null || figures.aInB.value >= least);
}

function byLikelihood(x: MovedCandidate, y: MovedCandidate, least: number): number {
  const same = ({ evidence }: MovedCandidate) => evidence.includes('same_text');
  const likeness = ({ figures }: MovedCandidate) => figures?.resemblance.value ?? 0;
  const share = ({ figures }: MovedCandidate) => figures?.aInB.value ?? 0;
  return (
    Number(y.state === 'current') - Number(x.state === 'current') ||
    Number(isStatedPlace(y, least)) - Number(isStatedPlace(x, least)) ||
    Number(y.holdsNow) - Number(x.holdsNow) ||
    Number(isStated(y)) - Number(isStated(x)) ||
    Number(y.isSuccessor) - Number(x.isSuccessor) ||
    likeness(y) - likeness(x) ||
    Number(same(y)) - Number(same(x)) ||
    share(y) - share(x) ||
    y.evidence.length - x.evidence.length ||
    y.sharedTail - x.sharedTail ||
    byUrl(x, y)
  );
}

/** The order of ids in one file; shards number their pages apart. */
function byUrl(x: { readonly url: string }, y: { readonly url: string }): number {
  return x.url < y.url ? -1 : Number(x.url > y.url);
}
