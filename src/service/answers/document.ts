/** A posted document becomes what the index would have made of it: its text, its links, its bag. */
import { Analyzer } from '../../features/analyzer.ts';
import type { Bag } from '../../features/bag.ts';
import { type BagRecipe, documentBag } from '../../features/document-bag.ts';
import { countPage } from '../../features/page-counts.ts';
import { builtInStopWords } from '../../features/stop-words.ts';
import { extractHtml } from '../../page/extract-html.ts';
import { extractText } from '../../page/extract-text.ts';
import type { ExtractedPage } from '../../page/extracted-page.ts';
import type { RelationRecord } from '../../store/records.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { Generation } from '../generation.ts';

export interface PostedDocument {
  readonly kind: 'html' | 'text';
  readonly content: string;
  readonly title: string | undefined;
  /** Canonical; null where the document has none. */
  readonly url: string | null;
  readonly baseUrl: string | null;
}

/** Stands for the address of a document that has none, so that its relative links lead nowhere known. */
const NOWHERE = 'http://document.invalid/';

export function extractDocument(document: PostedDocument): ExtractedPage {
  const page =
    document.kind === 'html'
      ? extractHtml(document.content, document.baseUrl ?? document.url ?? NOWHERE)
      : extractText(document.content);
  return document.title === undefined ? page : { ...page, title: document.title };
}

/** The bag that the index would hold for the page: its document frequencies are taken as they are. */
export function bagOfDocument(generation: Generation, relation: RelationRecord, page: ExtractedPage): Bag {
  const { reader, card } = generation;
  const recipe = card.parameters['recipe'] as BagRecipe;
  const stopWords = stopWordsOf(card.parameters['stop_words']);
  const analyzer = new Analyzer({ stopWords, maxForms: Number.POSITIVE_INFINITY, spill: () => {} });
  const { content, title } = countPage({ ...page, links: [] }, analyzer, { windowWords: 0 });
  return documentBag(
    { content, title },
    (part, stem) => reader.findFeature(relation.id, part, stem),
    (part) => reader.partPageCount(relation.id, part),
    recipe,
  );
}

/** Ids, ascending, of the pages of the index that the document links to. */
export function linkedPages(generation: Generation, page: ExtractedPage): Uint32Array {
  const ids = new Set<number>();
  for (const { target } of page.links) {
    const url = canonicalUrl(target);
    const pageId = url === null ? -1 : generation.catalog.find(url);
    if (pageId >= 0) ids.add(pageId);
  }
  return Uint32Array.from(ids).sort();
}

function stopWordsOf(parameter: unknown): ReadonlySet<string> {
  return Array.isArray(parameter) ? new Set(parameter as string[]) : builtInStopWords();
}
