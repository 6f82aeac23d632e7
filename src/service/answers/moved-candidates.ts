/**
 * Lost and found: the pages that the content of a URL may have gone to.
 *
 * The last text of the lost page is compared with every text that any other page had in any sweep, each
 * without its host's template; a page is judged by the one of its texts that resembles most. Redirects and
 * canonicals say it outright; an equal title speaks for a page, and finds one that was rewritten where it is
 * related by topic.
 *
 * Source  Broder, Glassman, Manasse, Zweig, WWW6 1997, section 5.1 ("lost and found").
 */
import type { CaptureRecord } from '../../store/records.ts';
import type { Generation } from '../generation.ts';
import { type CopyFigures, copyFigures, EQUAL } from './copy-figures.ts';
import { versionsSharing } from './copy-search.ts';
import { type CopySource, copySource, withoutTemplate } from './copy-source.ts';
import { isCurrent } from './last-seen.ts';

export const EVIDENCE = ['redirect', 'canonical', 'same_text', 'resemblance', 'title'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface MovedCandidate {
  readonly pageId: number;
  /** In the order of `EVIDENCE`. */
  readonly evidence: readonly Evidence[];
  /** Of the lost page's last text with the text of the candidate that resembles most; null where there are not two. */
  readonly figures: CopyFigures | null;
  readonly isCurrent: boolean;
  readonly captures: readonly CaptureRecord[];
}

/**
 * Candidates, best first: those that the latest sweep has, then what is told, the same text, the nearest.
 *
 * `url` is the page's own or an alias of it: then the page is itself a candidate. `least` is the resemblance
 * or share of the lost text from which a text alone makes a candidate.
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
  if (isAlias) told(pageId, reader.aliases(pageId).find((alias) => alias.url === url)?.kind ?? 'redirect');
  const leadsTo = isAlias ? null : reader.alias(url);
  if (leadsTo !== null) told(leadsTo.pageId, leadsTo.kind);

  const versionId = reader.captures(pageId).at(-1)?.versionId ?? -1;
  const figures =
    versionId < 0 ? new Map<number, CopyFigures>() : figuresByPage(generation, source, versionId, page.url);
  for (const [id, { resemblance, aInB }] of figures) {
    if (Math.max(resemblance.value, aInB.value) >= least) told(id, 'resemblance');
  }
  if (versionId >= 0) for (const place of source.versions.pagesOf(versionId)) told(place.pageId, 'same_text');
  for (const id of sameTitled(generation, pageId, [...found.keys()])) told(id, 'title');
  if (!isAlias) found.delete(pageId);

  return [...found]
    .map(([id, evidence]) => {
      const captures = reader.captures(id);
      return {
        pageId: id,
        evidence: EVIDENCE.filter((kind) => evidence.has(kind)),
        figures: evidence.has('same_text') ? EQUAL : (figures.get(id) ?? null),
        isCurrent: isCurrent(generation, captures),
        captures,
      };
    })
    .sort(byLikelihood);
}

/** The nearest of each page's texts of all sweeps. */
function figuresByPage(
  generation: Generation,
  source: CopySource,
  versionId: number,
  url: string,
): Map<number, CopyFigures> {
  const { versions } = source;
  const lost = withoutTemplate(source, versions.get(versionId).sketch, url);
  const best = new Map<number, CopyFigures>();
  for (const other of versionsSharing(source, lost)) {
    const { sketch } = versions.get(other);
    for (const { pageId } of versions.pagesOf(other)) {
      const figures = copyFigures(lost, withoutTemplate(source, sketch, generation.reader.page(pageId).url));
      if (figures.resemblance.value > (best.get(pageId)?.resemblance.value ?? -1)) best.set(pageId, figures);
    }
  }
  return best;
}

/** Those of the pages found, and of the pages related by topic, that have the title of the lost page. */
function sameTitled(
  { reader, catalog, card }: Generation,
  pageId: number,
  found: readonly number[],
): number[] {
  const title = plainTitle(reader.page(pageId).title);
  if (title === '') return [];
  const topic = card.relations.find(({ name }) => name === 'topic');
  const span = topic && catalog.neighbours(topic, pageId);
  const related = span === undefined ? [] : span.ids.subarray(span.start, span.end);
  return [...new Set([...found, ...related])].filter((id) => plainTitle(reader.page(id).title) === title);
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
    x.pageId - y.pageId
  );
}
