/** What copies are sought of and judged by: the text of a page of the index, or one that was posted. */
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import { shingleFingerprint } from '../../../sketch/fingerprint.ts';
import { type ShingleSketch, sketchTokens } from '../../../sketch/shingle-sketch.ts';
import { wordSimhash } from '../../../sketch/word-simhash.ts';
import type { VersionRecord } from '../../../store/records.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import { hostOf } from '../../../url/site.ts';
import { type CopyFigures, copyFigures, EQUAL } from './copy-figures.ts';
import { type CopySource, MAX_TEXT_CHARS, wholeSketch } from './copy-source.ts';

export interface Wording {
  readonly sketch: ShingleSketch;
  readonly tokenCount: number;
  /** Of its shingle set; null for a page that is known by links alone. */
  readonly shingleDigest: string | null;
  /** Of its words; null where the index has none. */
  readonly simhash: Uint32Array | null;
  /** Whose template it may have; null where that is not known. */
  readonly host: string | null;
  readonly lang: string | null;
  /** All its shingles; null where the text is not at hand, or too long. */
  whole(): Promise<ShingleSketch | null>;
}

const NO_TEXT = {
  sketch: { keys: new Float64Array(0), limit: Infinity, shingleCount: 0 },
  tokenCount: 0,
  shingleDigest: null,
  simhash: null,
  whole: async () => null,
};

/** A page of the index, as it reads now. */
export async function pageWording(source: CopySource, pageId: number): Promise<Wording> {
  const { reads } = source;
  const [{ url, lang }, version] = await Promise.all([reads.page(pageId), reads.currentText(pageId)]);
  const text = version === null ? NO_TEXT : wordingOf(source, version);
  return { ...text, host: hostOf(url), lang };
}

/** A text of the index, whosever. */
export async function versionWording(source: CopySource, versionId: number): Promise<Wording> {
  return wordingOf(source, await source.reads.version(versionId));
}

function wordingOf(source: CopySource, version: VersionRecord): Wording {
  const { sketch, tokenCount, shingleDigest, simhash } = version;
  const whole = () => wholeSketch(source, version.id, sketch);
  return { sketch, tokenCount, shingleDigest, simhash, host: null, lang: null, whole };
}

/** A document that was posted. Shape  url canonical, null where it has none. */
export function documentWording(source: CopySource, page: ExtractedPage, url: string | null): Wording {
  const tokens = readTokens(page.text, new TokenSequence());
  const all = sketchTokens(tokens, { ...source.options, minimum: Infinity });
  return {
    sketch: sketchTokens(tokens, source.options).sketch,
    tokenCount: tokens.count,
    shingleDigest: shingleFingerprint(all),
    simhash: source.parameters.same_site_agreement > 0 ? wordSimhash(tokens) : null,
    host: url === null ? null : hostOf(url),
    lang: page.lang,
    whole: async () => (page.text.length > MAX_TEXT_CHARS ? null : all.sketch),
  };
}

/** Figures of two wordings: of their texts where both are at hand, else of their sketches, as `measure` says. */
export async function wordingFigures(a: Wording, b: Wording): Promise<CopyFigures> {
  if (isEqual(a, b)) return EQUAL;
  const [left, right] = await Promise.all([a.whole(), b.whole()]);
  return left === null || right === null ? copyFigures(a.sketch, b.sketch) : copyFigures(left, right);
}

/** Whether two wordings are one set of shingles; without any they are not alike. */
export function isEqual(a: Wording, b: Wording): boolean {
  return a.shingleDigest !== null && a.shingleDigest === b.shingleDigest && a.sketch.shingleCount > 0;
}
