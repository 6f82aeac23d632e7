import { stripSketch } from '../../join/copies/template-shingles.ts';
import { type CopyParameters, sketchOptionsOf } from '../../relations/copy.ts';
import { DEFAULT_SKETCH, type ShingleSketch, type SketchOptions } from '../../sketch/shingle-sketch.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { VersionReader } from '../../store/version-reader.ts';
import { hostOf } from '../../url/site.ts';
import type { Generation } from '../held/generation.ts';

/** What an index holds for comparing wordings, and how its sketches were made; for one request. */
export interface CopySource {
  readonly relation: RelationRecord;
  readonly parameters: CopyParameters;
  readonly options: SketchOptions;
  readonly versions: VersionReader;
  /** Template keys of the hosts met so far. */
  readonly templates: Map<string, Float64Array>;
}

/** Errors  Problem `relation-not-in-index`. */
export function copySource(generation: Generation): CopySource {
  const relation = generation.relation('copy');
  const parameters = generation.card.parameters['copy'] as CopyParameters;
  const options = sketchOptionsOf(parameters);
  return { relation, parameters, options, versions: generation.reader.versions, templates: new Map() };
}

/** How the index samples shingles; as by default where it does not. */
export function sketchOptions({ card }: Generation): SketchOptions {
  const parameters = card.parameters['copy'] as CopyParameters | undefined;
  return parameters === undefined ? DEFAULT_SKETCH : sketchOptionsOf(parameters);
}

/** What a page says now. */
export interface CurrentText {
  readonly sketch: ShingleSketch;
  /** Of its shingle set; null for a page that is known by links alone. */
  readonly shingleDigest: string | null;
  /** Of its words; null where the index has none. */
  readonly simhash: Uint32Array | null;
}

const NO_TEXT: CurrentText = {
  sketch: { keys: new Float64Array(0), limit: Infinity, shingleCount: 0 },
  shingleDigest: null,
  simhash: null,
};

export function currentText({ versions }: CopySource, pageId: number): CurrentText {
  const versionId = versions.current(pageId);
  return versionId < 0 ? NO_TEXT : versions.get(versionId);
}

/** The same without the template of its host, as the pages of an index were compared with each other. */
export function ownText(generation: Generation, source: CopySource, pageId: number): CurrentText {
  const text = currentText(source, pageId);
  return { ...text, sketch: withoutTemplate(source, text.sketch, generation.reader.page(pageId).url) };
}

/** The sketch of the page of a URL without the shingles of its host's template. */
export function withoutTemplate(source: CopySource, sketch: ShingleSketch, url: string): ShingleSketch {
  const host = hostOf(url);
  let template = source.templates.get(host);
  if (template === undefined) source.templates.set(host, (template = source.versions.templateOf(host)));
  return template.length === 0
    ? sketch
    : stripSketch(sketch, template, source.parameters.template_minimum_keys);
}
