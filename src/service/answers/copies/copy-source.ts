import { keptIn } from '../../../lib/kept.ts';
import {
  COPY,
  type CopyParameters,
  EVERY_HOST,
  sketchOptionsOf,
  storedCopyParameters,
} from '../../../relations/copy.ts';
import {
  DEFAULT_SKETCH,
  type ShingleSketch,
  type SketchOptions,
  sketchText,
} from '../../../sketch/shingle-sketch.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';

/** Longer texts are compared by their sketches alone: two of a million characters take a fifth of a second. */
export const MAX_TEXT_CHARS = 2 ** 20;

/** What an index holds for comparing wordings, and how its sketches were made; for one request. */
export interface CopySource {
  readonly relation: RelationRecord;
  readonly parameters: CopyParameters;
  readonly options: SketchOptions;
  readonly reads: Reads;
  /** Template keys of the hosts met so far. */
  readonly templates: Map<string, Promise<Float64Array>>;
  /** All shingles of the versions met so far; null where the text is not at hand. */
  readonly whole: Map<number, Promise<ShingleSketch | null>>;
}

/** Errors  Problem `relation-not-in-index`. */
export function copySource(reads: Reads): CopySource {
  const relation = reads.facts.relation(COPY.name);
  const parameters = storedCopyParameters(reads.facts.card.parameters)!;
  return {
    relation,
    parameters,
    options: sketchOptionsOf(parameters),
    reads,
    templates: new Map(),
    whole: new Map(),
  };
}

/** How the index samples shingles; as by default where it does not. */
export function sketchOptions({ card }: IndexFacts): SketchOptions {
  const parameters = storedCopyParameters(card.parameters);
  return parameters === undefined ? DEFAULT_SKETCH : sketchOptionsOf(parameters);
}

/** Template keys of a host, empty where it has none, or where templates count as any text. */
export function templateOf({ templates, reads }: CopySource, host: string): Promise<Float64Array> {
  return keptIn(templates, host, () => reads.template(host));
}

/** Keys that count for nothing. */
export async function ignoredKeys(source: CopySource): Promise<Float64Array> {
  return source.parameters.ignores_common ? templateOf(source, EVERY_HOST) : new Float64Array(0);
}

/** All shingles of a version, from its sketch where that has them, else from its text; null where it is not at hand. */
export function wholeSketch(
  source: CopySource,
  versionId: number,
  sketch: ShingleSketch,
): Promise<ShingleSketch | null> {
  return keptIn(source.whole, versionId, () => readWhole(source, versionId, sketch));
}

async function readWhole(
  { reads, options }: CopySource,
  versionId: number,
  sketch: ShingleSketch,
): Promise<ShingleSketch | null> {
  if (sketch.limit === Infinity) return sketch;
  const kept = await reads.versionText(versionId);
  if (kept === null || kept.text.length > MAX_TEXT_CHARS) return null;
  return sketchText(kept.text, { ...options, minimum: Infinity });
}
