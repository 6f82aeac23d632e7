import type { Bag } from '../../../features/bag.ts';
import { editDistance } from '../../../join/copies/edit-distance.ts';
import { type SharedPassage, sharedPassages } from '../../../join/copies/shared-passages.ts';
import { sharedSegments } from '../../../join/copies/shared-segments.ts';
import { weightedJaccard } from '../../../join/exact/weighted-jaccard.ts';
import { featureSetOf, sharedWeight } from '../../../join/own/feature-sets.ts';
import { COSINE_PARTS, cosineOf } from '../../../join/vectors/cosine.ts';
import { DEFAULT_SKETCH } from '../../../sketch/shingle-sketch.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import type {
  CompareAnswer,
  ComparedTextAnswer,
  SharedPassageAnswer,
} from '../../schemas/answers/copy-answers.ts';
import { copyFigures, estimateAnswer } from '../copies/copy-figures.ts';
import { sketchOptions } from '../copies/copy-source.ts';
import { sharedFeatures } from '../pages/shared-features.ts';
import { sharedTerms } from '../pages/terms.ts';
import type { ComparedText } from './compared-text.ts';
import { asKnown } from './document.ts';

/** Longer lists do not help; the longest passages are kept. */
const MAX_PASSAGES = 1000;

/** The body of POST /compare; `reads` null where there is no index. */
export async function compareAnswer(
  reads: Reads | null,
  a: ComparedText,
  b: ComparedText,
  includeText: boolean,
): Promise<CompareAnswer> {
  const facts = reads?.facts ?? null;
  const bothAtHand = a.wholeSketch !== null && b.wholeSketch !== null;
  const figures = copyFigures(bothAtHand ? a.wholeSketch : a.sketch, bothAtHand ? b.wholeSketch : b.sketch);
  return {
    a: sideAnswer(a, includeText),
    b: sideAnswer(b, includeText),
    generation: facts?.id ?? null,
    equality: equalityOf(a, b),
    topic: reads === null ? null : await topicAnswer(reads, a, b),
    features: featureAnswer(a, b),
    meaning: meaningAnswer(a, b),
    measure: figures.measure,
    resemblance: estimateAnswer(figures.resemblance),
    containment: { a_in_b: estimateAnswer(figures.aInB), b_in_a: estimateAnswer(figures.bInA) },
    edit_distance: a.tokens === null || b.tokens === null ? null : editDistance(a.tokens, b.tokens),
    segments: segmentAnswer(a, b),
    ...passageAnswer(facts, a, b),
  };
}

function sideAnswer(side: ComparedText, includeText: boolean): ComparedTextAnswer {
  return {
    url: side.url,
    title: side.title,
    indexed: side.versionId >= 0,
    token_count: side.tokenCount,
    shingle_count: side.sketch.shingleCount,
    ...(includeText && { text: side.text }),
  };
}

/** Two pages by the bags that lists compare; a posted text with a page by the words of both, as it has no anchors. */
async function topicAnswer(reads: Reads, a: ComparedText, b: ComparedText): Promise<CompareAnswer['topic']> {
  const { words } = reads.facts;
  const areStored = a.storedBag !== null && b.storedBag !== null;
  const [left, right] = [a, b].map(({ storedBag, textBag }) =>
    areStored ? storedBag : (textBag ?? storedBag),
  ) as [Bag | null, Bag | null];
  if (words === undefined || left === null || right === null) return null;
  const { terms = [] } = await sharedTerms(reads, words, left)(right);
  const similarity = sixDecimals(weightedJaccard(left, right));
  return asKnown(reads, { similarity, measure: 'exact', terms });
}

/** By the features that owners gave both; null where one has none. */
function featureAnswer(a: ComparedText, b: ComparedText): CompareAnswer['features'] {
  const [left, right] = [featureSetOf(a.features), featureSetOf(b.features)];
  if (left.sum === 0 || right.sum === 0) return null;
  const { shared, total } = sharedWeight(left, right);
  const terms = sharedFeatures(a.features, b.features);
  return { similarity: sixDecimals(shared / total), measure: 'exact', terms };
}

/** By the vectors that owners gave both, of one name and length; null where there are none. */
function meaningAnswer(a: ComparedText, b: ComparedText): CompareAnswer['meaning'] {
  const both = Object.entries(a.vectors).flatMap(([vector, left]) => {
    const right = b.vectors[vector];
    if (right?.length !== left.length) return [];
    const similarity = sixDecimals(cosineOf(left, right) / COSINE_PARTS);
    return [{ vector, similarity, measure: 'estimate' as const }];
  });
  return both.length === 0 ? null : both;
}

/** The closest kind of equality of two texts. Without the texts, identical ones are called lexically equal. */
function equalityOf(a: ComparedText, b: ComparedText): CompareAnswer['equality'] {
  if (a.versionId >= 0 && a.versionId === b.versionId) return 'identical';
  if (a.text !== null && a.text === b.text && a.title === b.title) return 'identical';
  if (a.tokenDigest === b.tokenDigest) return 'lexically_equal';
  return a.shingleDigest === b.shingleDigest ? 'shingle_equal' : 'different';
}

function segmentAnswer(a: ComparedText, b: ComparedText): CompareAnswer['segments'] {
  if (a.tokens === null || b.tokens === null) return null;
  const { ofA, ofB, shared } = sharedSegments(
    { text: a.text!, tokens: a.tokens },
    { text: b.text!, tokens: b.tokens },
  );
  return { a: ofA, b: ofB, shared };
}

function passageAnswer(
  facts: IndexFacts | null,
  a: ComparedText,
  b: ComparedText,
): Pick<CompareAnswer, 'passages' | 'passage_count' | 'passages_missing'> {
  if (a.tokens === null || b.tokens === null)
    return { passages: null, passage_count: null, passages_missing: a.absence ?? b.absence };
  const { shingleSize } = facts === null ? DEFAULT_SKETCH : sketchOptions(facts);
  const all = sharedPassages(a.tokens, b.tokens, shingleSize);
  return { passages: longest(all).map(passageOf), passage_count: all.length, passages_missing: null };
}

/** At most `MAX_PASSAGES`, in the order of a. */
function longest(passages: readonly SharedPassage[]): readonly SharedPassage[] {
  if (passages.length <= MAX_PASSAGES) return passages;
  const byLength = passages.toSorted((x, y) => y.tokenCount - x.tokenCount || x.startOfA - y.startOfA);
  return byLength.slice(0, MAX_PASSAGES).sort((x, y) => x.startOfA - y.startOfA);
}

function passageOf({ startOfA, endOfA, startOfB, endOfB, tokenCount }: SharedPassage): SharedPassageAnswer {
  return {
    a: { start: startOfA, end: endOfA },
    b: { start: startOfB, end: endOfB },
    token_count: tokenCount,
  };
}
