/** What the index knows of pages that are handed over; asked for on a thread, as texts are read for it. */
import { PlainText } from '../../store/blobs/plain-text.ts';
import { UNDATED_MS } from '../../store/records.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { extractDocument } from '../answers/documents/document.ts';
import type { Reads } from '../reads/reads.ts';

export interface KnownPage {
  /** Whether the index lists the URL as a page with a text. */
  readonly isThere: boolean;
  /** Of the title and text that it has there; '' where there is none. */
  readonly textDigest: string;
  /** When that was read; null where it is not known. */
  readonly datedMs: number | null;
  /** Of the title and text that are handed over; '' for a page that is gone. */
  readonly givenDigest: string;
}

const plainText = new PlainText();

/** Of records as `GivenRecord` has them, one a line. */
export async function knownPages(reads: Reads, lines: string): Promise<KnownPage[]> {
  const known: KnownPage[] = [];
  for (const line of lines.split('\n')) {
    const record = JSON.parse(line) as Readonly<
      Record<'url' | 'html' | 'text' | 'title', string | undefined>
    >;
    const url = canonicalUrl(record.url!)!;
    known.push({ ...(await pageAt(reads, url)), givenDigest: digestOf(reads, record, url) });
  }
  return known;
}

async function pageAt(reads: Reads, url: string): Promise<Omit<KnownPage, 'givenDigest'>> {
  const { pageId } = await reads.find(url);
  const none = { isThere: false, textDigest: '', datedMs: null };
  if (pageId < 0 || (await reads.page(pageId)).url !== url) return none;
  const [isGone, captures, text] = await Promise.all([
    reads.isGone(pageId),
    reads.captures(pageId),
    reads.currentText(pageId),
  ]);
  const last = captures.at(-1);
  const datedMs = last === undefined || last.fetchedAtMs === UNDATED_MS ? null : last.fetchedAtMs;
  return { isThere: last !== undefined && !isGone, textDigest: text?.textDigest ?? '', datedMs };
}

function digestOf(
  { facts }: Reads,
  { html, text, title }: Readonly<Record<'html' | 'text' | 'title', string | undefined>>,
  url: string,
): string {
  const content = html ?? text;
  if (content === undefined) return '';
  const kind = html === undefined ? 'text' : 'html';
  const page = extractDocument({ kind, content, title: title ?? undefined, url, baseUrl: null }, facts);
  plainText.set(page.title, page.text);
  return plainText.digest().toString('hex');
}
