/** A page that is handed over, made into what answers need of it: by the code that makes those of the index. */
import { NO_BAG } from '../../features/bag.ts';
import { unpackFeatures } from '../../features/own-features.ts';
import type { ExtractedPage } from '../../page/extracted-page.ts';
import { unpackFields } from '../../page/fields/page-fields.ts';
import { creditedTargets } from '../../page/link-list.ts';
import { markSelectors } from '../../page/marks/marks.ts';
import { COPY } from '../../relations/copy.ts';
import { shingleFingerprint, tokenFingerprint } from '../../sketch/fingerprint.ts';
import { sketchTokens } from '../../sketch/shingle-sketch.ts';
import { wordSimhash } from '../../sketch/word-simhash.ts';
import { capturedPage, decodedCapture, fieldsOf } from '../../sources/record/captured-page.ts';
import type { Capture } from '../../sources/record/record.ts';
import { PlainText } from '../../store/blobs/plain-text.ts';
import { TokenSequence } from '../../text/token-sequence.ts';
import { readTokens } from '../../text/tokens.ts';
import { copySource } from '../answers/copies/copy-source.ts';
import { weighDocument } from '../answers/documents/document.ts';
import type { LocalIndex } from '../reads/file/local-index.ts';
import type { SaidParts } from '../reads/live/page-said.ts';
import type { Reads } from '../reads/reads.ts';
import type { Work } from '../reads/work.ts';
import { pageWords } from './page-words.ts';

const plainText = new PlainText();

/**
 * What a capture says beside the index alone, whatever waits already: so it is the same for each process and after each start. Null
 * for a page that asks not to be indexed.
 *
 * @param pageId the page of the index whose place it takes; -1 for none.
 */
export async function preparedPage(
  local: LocalIndex,
  url: string,
  pageId: number,
  capture: Capture,
  work: Work,
): Promise<SaidParts | null> {
  const reads = local.readsOf(work, () => false);
  const { body = '', ignore = '' } = reads.facts.card.parameters as { body?: string; ignore?: string };
  const decoded = decodedCapture(capture.body, capture)!;
  const page = capturedPage(decoded.text, capture, url, { selectors: markSelectors(body, ignore) });
  if (page.noindex) return null;
  const { title, lang, text } = page;
  plainText.set(title, text);
  const textDigest = plainText.digest().toString('hex');
  const { wordCount, bag, reach } = await weighed(reads, local, page, pageId, capture.features);
  return {
    facts: {
      title,
      lang,
      wordCount,
      card: page.card(),
      features: capture.features,
      vectors: capture.vectors,
      fields: unpackFields(fieldsOf(capture, page, reads.facts.declaredFields).fields),
      mediaType: capture.mediaType ?? 'text/html',
      bodyBytes: capture.body.length,
      textDigest,
    },
    links: [...new Set(creditedTargets(page))].filter((target) => target !== url).sort(),
    words: reads.facts.hasSearch ? pageWords(title, text) : null,
    ...versionOf(reads, text, textDigest),
    bag,
    reach,
  };
}

/** The page as one that can be nearest to others. */
async function weighed(
  reads: Reads,
  local: LocalIndex,
  page: ExtractedPage,
  pageId: number,
  features: string,
): Promise<Pick<SaidParts, 'bag' | 'reach'> & { readonly wordCount: number }> {
  const { words } = reads.facts;
  if (words === undefined) return { wordCount: 0, bag: NO_BAG, reach: null };
  const { bag, textWordCount } = await weighDocument(reads, words, page, pageId, unpackFeatures(features));
  return {
    wordCount: textWordCount,
    bag,
    // Lists of estimates are never mixed with exact figures.
    reach: words.measure === 'exact' ? local.reach(words, bag, pageId) : null,
  };
}

/** The page as one that may be a copy of others. */
function versionOf(reads: Reads, text: string, textDigest: string): Pick<SaidParts, 'version' | 'text'> {
  if (!reads.facts.holds(COPY.name)) return { version: null, text: null };
  const { options, parameters } = copySource(reads);
  const tokens = readTokens(text, new TokenSequence());
  const sketched = sketchTokens(tokens, options);
  return {
    version: {
      textDigest,
      tokenDigest: tokenFingerprint(tokens),
      shingleDigest: shingleFingerprint(sketched),
      tokenCount: tokens.count,
      simhash: parameters.same_site_agreement > 0 ? wordSimhash(tokens) : null,
      sketch: sketched.sketch,
    },
    text: parameters.text ? text : null,
  };
}
