import { andThen, type OrLater } from '../../../../lib/or-later.ts';
import { COPY } from '../../../../relations/copy.ts';
import type { Relation } from '../../../../relations/relation.ts';
import { type RelationName, relationOf } from '../../../../relations/relations.ts';
import { type Problem, parameterProblem } from '../../../http/problems/problem.ts';
import type { StoredFilter } from '../../../reads/accept.ts';
import type { AcceptAll, Head, Reads } from '../../../reads/reads.ts';
import type { HeldRules } from '../../../rules/rules.ts';
import { isPlain } from '../../../schemas/parameter.ts';
import type { FilterSubject, ListFilter } from '../../../schemas/parameters/list-filter.ts';
import { LIST_FILTERS } from '../../../schemas/parameters/list-filters.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';
import { NearCopies, NearCopySource } from '../../copies/near-copies.ts';
import { requireConditions, requireFields } from './field-names.ts';
import { heldRules, type ListPlace } from './held-rules.ts';

/** Whose neighbors are listed: a page of the index, or a document that was posted. */
export interface Subject extends ListPlace, Pick<FilterSubject, 'lang' | 'fields' | 'publishedAt'> {
  /** Number of its site; -1 for none that a page is of. */
  readonly siteId: number;
  /** Page ids, ascending, of what it links to. */
  links(): Promise<Uint32Array>;
  /** Whether a sweep found it gone; never of a document. */
  isGone(): OrLater<boolean>;
  /** Pages that are it, or copies of it: `exclude_copies` leaves them and their near copies out. */
  twins(): Promise<readonly number[]>;
}

/** Whose neighbors are listed where nothing is known of it. */
export const NO_SUBJECT: Subject = {
  url: null,
  siteId: -1,
  site: async () => null,
  lang: async () => null,
  fields: async () => ({}),
  publishedAt: async () => null,
  links: async () => new Uint32Array(0),
  isGone: () => false,
  twins: async () => [],
};

/** A page of the index as the one whose neighbors are listed. */
export interface SubjectPage extends Subject, Pick<Head, 'url' | 'title'> {
  readonly pageId: number;
  readonly url: string;
}

export function subjectPage(reads: Reads, pageId: number): OrLater<SubjectPage> {
  return andThen(reads.heads([pageId]), ([head]) => {
    const { url, title, siteId, lang } = head!;
    return {
      pageId,
      url,
      title,
      siteId,
      site: async () => (await reads.page(pageId)).site,
      lang: async () => lang,
      fields: () => reads.pageFields(pageId),
      publishedAt: async () => (await reads.pageCard(pageId))?.publishedAt ?? null,
      links: () => reads.links(pageId),
      isGone: () => reads.isGone(pageId),
      twins: async () => [pageId],
    };
  });
}

export interface PageFilter {
  readonly subject: Subject;
  /** What is asked of each page by itself; null where that is nothing. */
  readonly stored: StoredFilter | null;
  /** Which pages are what is asked for; null where any is. */
  readonly accept: AcceptAll | null;
  /** The near copies of the subject, to which those of the pages listed are added; null where copies are listed. */
  readonly copies: NearCopySource | null;
  readonly twins: readonly number[];
  /** What rules put first, where it passes. */
  readonly pins: HeldRules['pins'];
}

const JUDGING = Object.entries<ListFilter>(LIST_FILTERS)
  .map(([name, row]) => ({ name, row }))
  .filter(({ row }) => row.judge !== null);

/**
 * What `narrowing` and the rules of the app ask of the pages of a list, except its length and `max_per_site`.
 *
 * Errors  Problem `invalid-parameters` for a field that the index does not have.
 */
export function pageFilter(
  reads: Reads,
  subject: Subject,
  narrowing: Narrowing,
  held: OrLater<HeldRules | null> = heldRules(reads, subject),
): OrLater<PageFilter> {
  requireConditions(reads.facts, narrowing.field, narrowing.within);
  requireFields(reads.facts, 'fields', narrowing.fields, narrowing.within);
  requireArrangeable(narrowing);
  requireOfVectors(relationOf(narrowing.by), 'vector', narrowing.vector);
  const isAny = held === null && !narrowing.exclude_copies && judging(narrowing).length === 0;
  if (isAny) return { subject, stored: null, accept: null, copies: null, twins: [], pins: [] };
  return narrowedBy(reads, subject, narrowing, held);
}

/** The filters that ask something of pages. */
function judging(values: object): typeof JUDGING {
  return JUDGING.filter(({ name, row }) => !isPlain(row, (values as Record<string, unknown>)[name]));
}

async function narrowedBy(
  reads: Reads,
  subject: Subject,
  narrowing: Narrowing,
  held: OrLater<HeldRules | null>,
): Promise<PageFilter> {
  const rules = await held;
  const values =
    rules === null ? narrowing : { ...narrowing, exclude: [...narrowing.exclude, ...rules.blocks] };
  const asking = judging(values);
  const stored = asking.length === 0 ? null : await storedFilter(reads, subject, asking, values);
  return {
    subject,
    stored,
    accept: stored === null ? null : reads.accepting(stored),
    copies: narrowing.exclude_copies ? new NearCopySource(reads) : null,
    twins: narrowing.exclude_copies ? await subject.twins() : [],
    pins: rules?.pins ?? [],
  };
}

/** Errors  Problem `invalid-parameters`. */
function requireArrangeable({ by, boost, diversity, fallback }: Narrowing): void {
  if (fallback !== 'none' && by === COPY.name) throw withoutEffect(by, 'fallback', fallback);
  if (boost === undefined && diversity === 0) return;
  requireWords(by, boost === undefined ? 'diversity' : 'boost', boost ?? diversity);
}

/** Errors  Problem `invalid-parameters` where pages are not near by their words. */
export function requireWords(by: RelationName, name: string, value: unknown): void {
  if (relationOf(by).neighbors === 'nearest bags') return;
  throw withoutEffect(by, name, value);
}

function withoutEffect(by: string, name: string, value: unknown): Problem {
  return parameterProblem(name, `has no effect with by=${by}`, value, 'left out');
}

/** Errors  Problem `invalid-parameters` where something of vectors is given, and pages are not near by theirs. */
export function requireOfVectors({ name: by, features }: Relation, name: string, value: unknown): void {
  if (value === undefined || features === 'vectors') return;
  throw withoutEffect(by, name, value);
}

/** The near copies of a list that is begun; null where copies are listed. */
export async function begunCopies({ copies, twins }: PageFilter): Promise<NearCopies | null> {
  if (copies === null) return null;
  const near = new NearCopies(copies);
  for (const pageId of twins) await near.add(pageId);
  return near;
}

async function storedFilter(
  reads: Reads,
  { site, lang, fields, publishedAt, links }: Subject,
  asking: typeof JUDGING,
  values: Narrowing,
): Promise<StoredFilter> {
  const find = async (url: string) => {
    const pageId = await reads.idOf(url);
    return pageId < 0 ? -1 : reads.successor(pageId);
  };
  const whose: FilterSubject = { site, lang, fields, publishedAt, links, find };
  const wanted = asking.map(async ({ name, row }) => {
    return [name, await row.judge!.wanted(values[name as keyof Narrowing] as never, whose)] as const;
  });
  return Object.fromEntries(await Promise.all(wanted));
}
