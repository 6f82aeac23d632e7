import { DEFAULT_RELATION } from '../../relations/relations.ts';
import type { Generation } from '../held/generation.ts';
import type { Narrowing } from '../schemas/parameters.ts';
import { canonicalParameter } from './locate.ts';

/** Whose neighbours are listed: a page of the index, or a document that was posted. */
export interface Subject {
  sameSite(pageId: number): boolean;
  /** Page ids, ascending, of what it links to. */
  links(): Uint32Array;
}

export type Accept = (pageId: number) => boolean;

/** What `narrowing` asks of a single page; null where it asks nothing. */
export function pageFilter(generation: Generation, subject: Subject, narrowing: Narrowing): Accept | null {
  const { catalog } = generation;
  const { same_site: sameSite, exclude, exclude_linked: excludeLinked } = narrowing;
  const lang = primaryLanguage(narrowing.lang);
  if (sameSite === 'include' && exclude.length === 0 && !excludeLinked && lang === undefined) return null;

  const hidden = new Set<number>(excludeLinked ? subject.links() : []);
  for (const url of exclude) {
    const pageId = catalog.find(canonicalParameter('exclude', url));
    hidden.add(catalog.successor(pageId));
  }
  return (pageId) =>
    !hidden.has(pageId) &&
    (lang === undefined || catalog.lang(pageId) === lang) &&
    (sameSite === 'include' || subject.sameSite(pageId) === (sameSite === 'only'));
}

/** What pages are known by: `en` of `en-US`. */
function primaryLanguage(tag: string | undefined): string | undefined {
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
  } = narrowing;
  const linked = narrowing.exclude_linked;
  const plain =
    by === DEFAULT_RELATION.name &&
    least === 0 &&
    sameSite === 'include' &&
    cap === undefined &&
    !linked &&
    lang === undefined &&
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
    excluded,
  ]);
}
