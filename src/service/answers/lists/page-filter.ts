import { acceptBy } from '../../held/accept.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';
import type { FilterSubject, ListFilter } from '../../schemas/list-filter.ts';
import { LIST_FILTERS } from '../../schemas/list-filters.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { isPlain } from '../../schemas/parameter.ts';
import { NearCopies, NearCopySource } from '../copies/near-copies.ts';

/** Whose neighbors are listed: a page of the index, or a document that was posted. */
export interface Subject extends Pick<FilterSubject, 'site'> {
  sameSite(pageId: number): boolean;
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

const JUDGING = Object.entries<ListFilter>(LIST_FILTERS).filter(([, { judge }]) => judge !== null);

/** What `narrowing` asks of the pages of a list, except its length and `max_per_site`. */
export function pageFilter(generation: Generation, subject: Subject, narrowing: Narrowing): PageFilter {
  const values: Readonly<Record<string, unknown>> = narrowing;
  const asking = JUDGING.filter(([name, row]) => !isPlain(row, values[name]));
  return {
    accept: asking.length === 0 ? null : accepting(generation, subject, asking, values),
    copies: narrowing.exclude_copies ? copyFilter(generation, subject) : null,
  };
}

function copyFilter(generation: Generation, subject: Subject): () => NearCopies {
  const source = new NearCopySource(generation);
  const twins = subject.twins();
  return () => new NearCopies(source, twins);
}

function accepting(
  generation: Generation,
  subject: Subject,
  asking: typeof JUDGING,
  values: Readonly<Record<string, unknown>>,
): Accept {
  const { catalog } = generation;
  const find = (url: string) => {
    const pageId = catalog.findMentioned(url);
    return pageId < 0 ? -1 : catalog.successor(pageId);
  };
  const asker = { site: subject.site, links: subject.links, find };
  const wanted = asking.map(([name, row]) => {
    return [name, row.judge!.wanted(values[name] as never, asker)] as const;
  });
  return acceptBy(Object.fromEntries(wanted), generation);
}
