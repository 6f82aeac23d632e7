import type { Bag } from '../../../features/bag.ts';
import { type OwnFeatures, unpackFeatures } from '../../../features/own-features.ts';
import type { OwnVectors } from '../../../features/vectors.ts';
import { COPY } from '../../../relations/copy.ts';
import { equalityFingerprints } from '../../../sketch/fingerprint.ts';
import { DEFAULT_SKETCH, type ShingleSketch, sketchTokens } from '../../../sketch/shingle-sketch.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import { pageProblem } from '../../http/problems/problem.ts';
import type { Reads } from '../../reads/reads.ts';
import { MAX_TEXT_CHARS, sketchOptions } from '../copies/copy-source.ts';
import { captureOf } from '../pages/capture-of.ts';
import { bagOfDocument, extractDocument, type PostedDocument } from './document.ts';

/** One side of a comparison. */
export interface ComparedText {
  readonly url: string | null;
  readonly title: string;
  /** Which text of the index it is; -1 for one that was sent. */
  readonly versionId: number;
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
  /** Those of its owner's; none of a page as it once was. */
  readonly features: OwnFeatures;
  /** The same. */
  readonly vectors: OwnVectors;
}

/** A posted document; `reads` null where there is no index to weigh its words by. */
export async function postedText(reads: Reads | null, document: PostedDocument): Promise<ComparedText> {
  const page = extractDocument(document, reads?.facts ?? null);
  const words = reads?.facts.words;
  const textBag = reads === null || words === undefined ? null : await bagOfDocument(reads, words, page);
  const { features = {}, vectors = {} } = document;
  const bags = { storedBag: null, textBag, features, vectors };
  const head = { url: document.url, title: page.title, versionId: -1, absence: null, ...bags };
  return { ...head, ...readText(reads, page.text) };
}

/**
 * The text of a page of the index: the current one, or that of the sweep `capture`.
 *
 * Errors  Problem `relation-not-in-index`; `page-not-indexed` for a page that is known by links alone; `invalid-parameters`
 *         for a sweep that did not read the page.
 */
export async function storedText(reads: Reads, pageId: number, capture?: string): Promise<ComparedText> {
  const { words } = reads.facts;
  reads.facts.relation(COPY.name);
  const [page, versionId, storedBag, own, vectors] = await Promise.all([
    reads.page(pageId),
    capture === undefined
      ? reads.currentVersion(pageId)
      : reads.captures(pageId).then((captures) => captureOf(captures, capture).versionId),
    words === undefined || capture !== undefined ? null : reads.bag(words.id, pageId),
    capture === undefined ? reads.ownFeatures(pageId) : '',
    capture === undefined ? vectorsOfPage(reads, pageId) : {},
  ]);
  if (versionId < 0) {
    throw pageProblem(
      page.url,
      'is known only from links: the index does not have its text',
      'send its text',
    );
  }
  const [kept, captures] = await Promise.all([reads.versionText(versionId), reads.captures(pageId)]);
  const features = unpackFeatures(own);
  const head = {
    url: page.url,
    title: kept?.title ?? page.title,
    versionId,
    storedBag,
    textBag: null,
    features,
    vectors,
  };
  if (kept !== null && kept.text.length <= MAX_TEXT_CHARS) {
    const textBag =
      words === undefined
        ? null
        : await bagOfDocument(reads, words, {
            ...extractDocument(keptDocument(kept), reads.facts),
            isPlain: captures.at(-1)?.mediaType === 'text/plain',
          });
    return { ...head, textBag, absence: null, ...readText(reads, kept.text) };
  }
  return {
    ...head,
    ...(await reads.version(versionId)),
    text: null,
    absence: kept === null ? 'text_not_kept' : 'text_too_long',
    tokens: null,
    wholeSketch: null,
  };
}

async function vectorsOfPage(reads: Reads, pageId: number): Promise<OwnVectors> {
  const vectors = reads.facts.vectorNames.map(async (name) => {
    return [name, await reads.vector(reads.facts.vectorRelation(name)!.id, pageId)] as const;
  });
  return Object.fromEntries((await Promise.all(vectors)).filter(([, vector]) => vector.length > 0));
}

/** A kept text as it would be posted. */
function keptDocument({ title, text }: { title: string; text: string }): PostedDocument {
  return { kind: 'text', content: text, title, url: null, baseUrl: null };
}

function readText(reads: Reads | null, text: string) {
  const options = reads === null ? DEFAULT_SKETCH : sketchOptions(reads.facts);
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
