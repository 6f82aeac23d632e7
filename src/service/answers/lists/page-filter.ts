import { cardDate, isPublishedSince } from '../../../page/page-card.ts';
import { DEFAULT_RELATION } from '../../../relations/relations.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';
import { parameterProblem } from '../../http/problem.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { NearCopies, NearCopySource } from '../copies/near-copies.ts';
import { canonicalParameter } from '../pages/locate.ts';

/** Whose neighbors are listed: a page of the index, or a document that was posted. */
export interface Subject {
  sameSite(pageId: number): boolean;
  /** Name of its site; null where it has none. */
  site(): string | null;
  /** Page ids, ascending, of what it links to. */
  links(): Uint32Array;
  /** Pages that are it, or copies of it: `exclude_copies` leaves them and their near copies out. */
  twins(): readonly number[];
}

/** A page of the index as the one whose neighbors are listed. */
export function pageSubject({ catalog, reader }: Generation, pageId: number): Subject {
  const site = catalog.site(pageId);
  return {
    sameSite: (other) => catalog.site(other) === site,
    site: () => reader.page(pageId).site,
    links: () => reader.links(pageId),
    twins: () => [pageId],
  };
}

export interface PageFilter {
  /** Judges a page by itself; null where nothing is asked of it. */
  readonly accept: Accept | null;
  /** The near copies of the subject, to which those of the pages listed are added; null where copies are listed. */
  readonly copies: (() => NearCopies) | null;
}

/** What `narrowing` asks of the pages of a list, except its length and `max_per_site`. */
export function pageFilter(generation: Generation, subject: Subject, narrowing: Narrowing): PageFilter {
  return {
    accept: singlePageFilter(generation, subject, narrowing),
    copies: narrowing.exclude_copies ? copyFilter(generation, subject) : null,
  };
}

function copyFilter(generation: Generation, subject: Subject): () => NearCopies {
  const source = new NearCopySource(generation);
  const twins = subject.twins();
  return () => new NearCopies(source, twins);
}

function singlePageFilter(generation: Generation, subject: Subject, narrowing: Narrowing): Accept | null {
  const { catalog, reader } = generation;
  const { same_site: sameSite, exclude, exclude_linked: excludeLinked } = narrowing;
  const lang = primaryLanguage(narrowing.lang);
  const onlyFetched = narrowing.fetched === 'only';
  const since = publishedSince(narrowing);
  const isAny = sameSite === 'include' && exclude.length === 0 && !excludeLinked;
  if (isAny && lang === undefined && !onlyFetched && since === null) return null;

  const hidden = new Set<number>(excludeLinked ? subject.links() : []);
  for (const url of exclude) {
    const pageId = catalog.findMentioned(canonicalParameter('exclude', url));
    if (pageId >= 0) hidden.add(catalog.successor(pageId));
  }
  const accept = (pageId: number) =>
    !hidden.has(pageId) &&
    (!onlyFetched || catalog.fetched(pageId)) &&
    (lang === undefined || catalog.lang(pageId) === lang) &&
    (sameSite === 'include' || subject.sameSite(pageId) === (sameSite === 'only')) &&
    // Last: it reads the file.
    (since === null || isPublishedSince(reader.pageCards.get(pageId), since));
  const site = sameSite === 'include' ? null : { name: subject.site(), isSame: sameSite === 'only' };
  return Object.assign(accept, {
    filter: { hidden: [...hidden], onlyFetched, lang: lang ?? null, site, publishedSince: since },
  });
}

/** As dates stand in an index; null where none is asked for. Errors  Problem `invalid-parameters`. */
function publishedSince({ published_after: given }: Narrowing): string | null {
  if (given === undefined) return null;
  const date = cardDate(given);
  if (date !== null) return date;
  const allowed = 'such as 2026-01-02 or 2026-01-02T10:00:00Z';
  throw parameterProblem('published_after', 'must be a date, or a time with its zone', given, allowed);
}

/** What pages are known by: `en` of `en-US`. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  return tag?.toLowerCase().split(/[-_]/, 1)[0];
}

/** Names what `narrowing` asks for, limit and explain left out; '' where it asks nothing. */
export function narrowingKey(narrowing: Narrowing): string {
  const {
    by,
    min_similarity: least,
    same_site: sameSite,
    max_per_site: cap,
    exclude,
    lang,
    clustering,
    fetched,
    rank,
  } = narrowing;
  const since = publishedSince(narrowing);
  const linked = narrowing.exclude_linked;
  const copies = narrowing.exclude_copies;
  const plain =
    by === DEFAULT_RELATION.name &&
    least === 0 &&
    sameSite === 'include' &&
    cap === undefined &&
    !linked &&
    !copies &&
    fetched === 'include' &&
    rank === 'score' &&
    lang === undefined &&
    since === null &&
    clustering === undefined;
  if (plain && exclude.length === 0) return '';
  const excluded = [...new Set(exclude.map((url) => canonicalParameter('exclude', url)))].sort();
  return JSON.stringify([
    by,
    least,
    sameSite,
    cap ?? 0,
    linked,
    primaryLanguage(lang) ?? '',
    clustering ?? '',
    fetched,
    copies,
    rank,
    since ?? '',
    excluded,
  ]);
}
