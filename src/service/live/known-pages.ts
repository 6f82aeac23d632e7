/** What the index knows of pages that are handed over, and what they will be in it; asked for on a thread, as it takes long. */
import { recordItem } from '../../sources/jsonl.ts';
import { UNDATED_MS } from '../../store/records.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { LocalIndex } from '../reads/file/local-index.ts';
import { packSaid } from '../reads/live/page-said.ts';
import type { PendingPage } from '../reads/live/pending-page.ts';
import type { Reads } from '../reads/reads.ts';
import { preparedPage } from './prepare-page.ts';

export interface KnownPage {
  /** Whether the index lists the URL as a page with a text. */
  readonly isThere: boolean;
  /** Of the title and text that it has there; '' where there is none. */
  readonly textDigest: string;
  /** Date of the answer that the index has of the URL, whatever that is; `UNDATED_MS` where it is not known. */
  readonly datedMs: number;
  /** Of the title and text that are handed over; '' for a page that is gone. */
  readonly givenDigest: string;
  /** The page as it waits from now on. */
  readonly pending: PendingPage;
  /** Of a page that is there and is said to be gone: the URLs that were read and that it speaks for. */
  readonly aliases: readonly SpokenFor[];
}

/** A URL that another one speaks for. */
interface SpokenFor {
  readonly url: string;
  /** Of the answer that the index has of it. */
  readonly datedMs: number;
}

/** Of records as `GivenRecord` has them, one a line. */
export async function knownPages(
  reads: Reads,
  local: LocalIndex | null,
  lines: string,
): Promise<KnownPage[]> {
  if (local === null) throw new Error('this index takes no pages');
  const known: KnownPage[] = [];
  for (const line of lines.split('\n'))
    if (line !== '') known.push(await knownPage(reads, local, JSON.parse(line)));
  return known;
}

async function knownPage(reads: Reads, local: LocalIndex, record: unknown): Promise<KnownPage> {
  const item = recordItem(record, { where: 'a record', url: null }, Number.POSITIVE_INFINITY);
  const url = canonicalUrl(item.url!)!;
  const found = (await reads.find(url)).pageId;
  const isOwn = found >= 0 && (await reads.page(found)).url === url;
  const before = isOwn ? await pageAt(reads, found) : NOT_THERE;
  const pageId = isOwn && found < local.facts.pageCount ? found : -1;
  const said = item.kind === 'fault' ? null : await preparedPage(local, url, pageId, item, reads.work);
  const fetchedAtMs = item.fetchedAtMs ?? UNDATED_MS;
  const pending = { url, pageId, fetchedAtMs, said: said === null ? null : packSaid(said) };
  const datedMs = Math.max(before.datedMs, local.otherDateMs(url));
  const aliases = item.kind === 'fault' && before.isThere ? await canonicalAliases(reads, local, found) : [];
  return { ...before, datedMs, aliases, givenDigest: said?.facts.textDigest ?? '', pending };
}

/** By links of theirs: without the page they would speak for themselves again. */
async function canonicalAliases(reads: Reads, local: LocalIndex, pageId: number): Promise<SpokenFor[]> {
  const all = await reads.aliases(pageId);
  return all
    .filter(({ kind }) => kind === 'canonical')
    .map(({ url }) => ({ url, datedMs: local.otherDateMs(url) }));
}

const NOT_THERE = { isThere: false, textDigest: '', datedMs: UNDATED_MS };

async function pageAt(
  reads: Reads,
  pageId: number,
): Promise<Pick<KnownPage, 'isThere' | 'textDigest' | 'datedMs'>> {
  const [isGone, captures, text] = await Promise.all([
    reads.isGone(pageId),
    reads.captures(pageId),
    reads.currentText(pageId),
  ]);
  const last = captures.at(-1);
  const datedMs = last?.fetchedAtMs ?? UNDATED_MS;
  return { isThere: last !== undefined && !isGone, textDigest: text?.textDigest ?? '', datedMs };
}
