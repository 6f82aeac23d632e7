import type { Bag } from '../../../features/bag.ts';
import { equalityFingerprints } from '../../../sketch/fingerprint.ts';
import { DEFAULT_SKETCH, type ShingleSketch, sketchTokens } from '../../../sketch/shingle-sketch.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import type { Generation } from '../../held/generation.ts';
import { pageProblem } from '../../http/problem.ts';
import { copySource, MAX_TEXT_CHARS, sketchOptions } from '../copies/copy-source.ts';
import { bagOfDocument, extractDocument, type PostedDocument } from './document.ts';

/** One side of a comparison. */
export interface ComparedText {
  readonly url: string | null;
  readonly title: string;
  /** Whether it was taken from the index. */
  readonly indexed: boolean;
  /** Null where it is not at hand, for the reason of `absence`. */
  readonly text: string | null;
  readonly absence: 'text_not_kept' | 'text_too_long' | null;
  /** Of `text`; null as that is. */
  readonly tokens: TokenSequence | null;
  readonly tokenCount: number;
  /** As the index samples. */
  readonly sketch: ShingleSketch;
  /** All shingles, where the text is at hand. */
  readonly wholeSketch: ShingleSketch | null;
  readonly tokenDigest: string;
  readonly shingleDigest: string;
  /** Topic bag that the index holds of the page, anchors included; null for a posted text. */
  readonly storedBag: Bag | null;
  /** Topic bag of title and text alone; null without the text, or an index that holds the relation. */
  readonly textBag: Bag | null;
}

/** A posted document; `generation` null where there is no index to weigh its words by. */
export function postedText(generation: Generation | null, document: PostedDocument): ComparedText {
  const page = extractDocument(document);
  const words = generation?.words;
  const textBag = generation === null || words === undefined ? null : bagOfDocument(generation, words, page);
  const bags = { storedBag: null, textBag };
  const head = { url: document.url, title: page.title, indexed: false, absence: null, ...bags };
  return { ...head, ...readText(generation, page.text) };
}

/**
 * The current text of a page of the index.
 *
 * Errors  Problem `relation-not-in-index`; `page-not-indexed` for a page that is known by links alone.
 */
export function storedText(generation: Generation, pageId: number): ComparedText {
  const { reader, words } = generation;
  const { versions } = copySource(generation);
  const page = reader.page(pageId);
  const versionId = versions.current(pageId);
  if (versionId < 0) {
    throw pageProblem(
      page.url,
      'is known only from links: the index does not have its text',
      'send its text',
    );
  }
  const storedBag = words === undefined ? null : reader.bag(words.id, pageId);
  const kept = versions.text(versionId);
  const head = { url: page.url, title: kept?.title ?? page.title, indexed: true, storedBag, textBag: null };
  if (kept !== null && kept.text.length <= MAX_TEXT_CHARS) {
    const textBag =
      words === undefined ? null : bagOfDocument(generation, words, extractDocument(keptDocument(kept)));
    return { ...head, textBag, absence: null, ...readText(generation, kept.text) };
  }
  return {
    ...head,
    ...versions.get(versionId),
    text: null,
    absence: kept === null ? 'text_not_kept' : 'text_too_long',
    tokens: null,
    wholeSketch: null,
  };
}

/** A kept text as it would be posted. */
function keptDocument({ title, text }: { title: string; text: string }): PostedDocument {
  return { kind: 'text', content: text, title, url: null, baseUrl: null };
}

function readText(generation: Generation | null, text: string) {
  const options = generation === null ? DEFAULT_SKETCH : sketchOptions(generation);
  const tokens = readTokens(text, new TokenSequence());
  const whole = sketchTokens(tokens, { ...options, minimum: Infinity });
  const fingerprints = equalityFingerprints(text, tokens, whole);
  return {
    text,
    tokens,
    tokenCount: tokens.count,
    sketch: sketchTokens(tokens, options).sketch,
    wholeSketch: whole.sketch,
    tokenDigest: fingerprints.tokens,
    shingleDigest: fingerprints.shingles,
  };
}
