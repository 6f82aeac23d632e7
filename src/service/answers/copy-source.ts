import { DEFAULT_SKETCH, type ShingleSketch, type SketchOptions } from '../../sketch/shingle-sketch.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { VersionReader } from '../../store/version-reader.ts';
import type { Generation } from '../generation.ts';

/** What an index holds for comparing wordings, and how its sketches were made. */
export interface CopySource {
  readonly relation: RelationRecord;
  readonly versions: VersionReader;
  readonly options: SketchOptions;
}

/** Errors  Problem `relation-not-in-index`. */
export function copySource(generation: Generation): CopySource {
  const relation = generation.relation('copy');
  return { relation, versions: generation.reader.versions, options: sketchOptions(generation) };
}

/** How the index samples shingles; as by default where it does not. */
export function sketchOptions({ card }: Generation): SketchOptions {
  const stored = card.parameters['copy'] as Record<string, unknown> | null | undefined;
  if (stored == null) return DEFAULT_SKETCH;
  return {
    shingleSize: numberOr(stored['shingle_size'], DEFAULT_SKETCH.shingleSize),
    minimum: numberOr(stored['minimum'], Infinity),
    maximum: numberOr(stored['maximum'], Infinity),
  };
}

/** JSON has no Infinity: what stands for it is null. */
function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

/** What a page says now. */
export interface CurrentText {
  readonly sketch: ShingleSketch;
  /** Of its shingle set; null for a page that is known by links alone. */
  readonly shingleDigest: string | null;
}

const NO_TEXT: CurrentText = {
  sketch: { keys: new Float64Array(0), limit: Infinity, shingleCount: 0 },
  shingleDigest: null,
};

export function currentText({ versions }: CopySource, pageId: number): CurrentText {
  const versionId = versions.current(pageId);
  return versionId < 0 ? NO_TEXT : versions.get(versionId);
}

/** The same without the template of its site, as the pages of an index were compared with each other. */
export function ownText(generation: Generation, source: CopySource, pageId: number): CurrentText {
  const { sketch, shingleDigest } = currentText(source, pageId);
  return { sketch: withoutTemplate(source, sketch, generation.reader.page(pageId).site), shingleDigest };
}

/** The sketch of a page of `site` without the shingles of that site's template. */
export function withoutTemplate(
  { versions }: CopySource,
  sketch: ShingleSketch,
  site: string,
): ShingleSketch {
  const template = versions.templateOf(site);
  return template.length === 0 ? sketch : { ...sketch, keys: without(sketch.keys, template) };
}

/** Shape  both ascending and unique, as is what is left. */
function without(keys: Float64Array, left: Float64Array): Float64Array {
  let at = 0;
  return keys.filter((key) => {
    while (at < left.length && left[at]! < key) at++;
    return left[at] !== key;
  });
}
