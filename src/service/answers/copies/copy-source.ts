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
import type { Generation } from '../../held/generation.ts';
import type { ServedVersions } from '../../shards/served-index.ts';

/** Longer texts are compared by their sketches alone: two of a million characters take a fifth of a second. */
export const MAX_TEXT_CHARS = 2 ** 20;

/** What an index holds for comparing wordings, and how its sketches were made; for one request. */
export interface CopySource {
  readonly relation: RelationRecord;
  readonly parameters: CopyParameters;
  readonly options: SketchOptions;
  readonly versions: ServedVersions;
  /** Keys that count for nothing. */
  readonly ignored: Float64Array;
  /** Template keys of the hosts met so far. */
  readonly templates: Map<string, Float64Array>;
  /** All shingles of the versions met so far; null where the text is not at hand. */
  readonly whole: Map<number, ShingleSketch | null>;
}

/** Errors  Problem `relation-not-in-index`. */
export function copySource(generation: Generation): CopySource {
  const relation = generation.relation(COPY.name);
  const parameters = storedCopyParameters(generation.card.parameters)!;
  const { versions } = generation.reader;
  return {
    relation,
    parameters,
    options: sketchOptionsOf(parameters),
    versions,
    ignored: parameters.ignores_common ? versions.templateOf(EVERY_HOST) : new Float64Array(0),
    templates: new Map(),
    whole: new Map(),
  };
}

/** How the index samples shingles; as by default where it does not. */
export function sketchOptions({ card }: Generation): SketchOptions {
  const parameters = storedCopyParameters(card.parameters);
  return parameters === undefined ? DEFAULT_SKETCH : sketchOptionsOf(parameters);
}

/** Template keys of a host, empty where it has none, or where templates count as any text. */
export function templateOf(source: CopySource, host: string): Float64Array {
  let template = source.templates.get(host);
  if (template === undefined) source.templates.set(host, (template = source.versions.templateOf(host)));
  return template;
}

/** All shingles of a version, from its sketch where that has them, else from its text; null where it is not at hand. */
export function wholeSketch(
  source: CopySource,
  versionId: number,
  sketch: ShingleSketch,
): ShingleSketch | null {
  if (sketch.limit === Infinity) return sketch;
  const known = source.whole.get(versionId);
  if (known !== undefined) return known;
  const kept = source.versions.text(versionId);
  const whole =
    kept === null || kept.text.length > MAX_TEXT_CHARS
      ? null
      : sketchText(kept.text, { ...source.options, minimum: Infinity });
  source.whole.set(versionId, whole);
  return whole;
}
