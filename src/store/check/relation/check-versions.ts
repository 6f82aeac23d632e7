import { createHash } from 'node:crypto';
import { type CopyParameters, sketchOptionsOf, storedCopyParameters } from '../../../relations/copy.ts';
import { equalityFingerprints } from '../../../sketch/fingerprint.ts';
import { lookupCount } from '../../../sketch/lookup-keys.ts';
import { SLOT_LIMIT } from '../../../sketch/permutations.ts';
import { type ShingleSketch, sketchTokens } from '../../../sketch/shingle-sketch.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import type { IndexReader } from '../../read/reader.ts';

/**
 * Every capture points to the version of its text, every version has a capture, ids are dense, sketches ascend, and
 * where texts are kept all is computed from them again.
 */
export function checkVersions(reader: IndexReader, faults: string[]): void {
  const parameters = copyParametersOf(reader);
  if (parameters === null) {
    if (reader.versions.count > 0)
      faults.push('there are versions, but the index says that it has no copies');
    return;
  }
  const { file } = reader;
  for (const page of file.values<number>(
    `SELECT page_id FROM capture LEFT JOIN version ON version.id = version_id
     WHERE version.id IS NULL OR version.text_digest <> capture.text_digest`,
  )) {
    faults.push(`a capture of page ${page} points to no version of its text`);
  }
  for (const id of file.values<number>(
    'SELECT id FROM version WHERE id NOT IN (SELECT version_id FROM capture)',
  )) {
    faults.push(`version ${id} has no capture`);
  }
  const sketchOptions = sketchOptionsOf(parameters);
  const sequence = new TokenSequence();
  let expected = 0;
  for (const version of reader.versions.all()) {
    const { id, sketch } = version;
    if (id !== expected++) faults.push(`version ids are not dense at ${id}`);
    const isBroken = sketch.keys.some(
      (key, i) => key >= sketch.limit || (i > 0 && key <= sketch.keys[i - 1]!),
    );
    if (isBroken) faults.push(`the sketch of version ${id} is not ascending below its limit`);
    if (!hasKeysOf(sketch, parameters.permutations))
      faults.push(`version ${id} has ${sketch.keys.length} keys of ${sketch.shingleCount} shingles`);
    const kept = reader.versions.text(id);
    if ((kept !== null) !== parameters.text)
      faults.push(`the text of version ${id} is missing, or stored although the index keeps no texts`);
    if (kept === null) continue;
    const digest = createHash('sha256').update(kept.title).update('\0').update(kept.text).digest('hex');
    if (digest.slice(0, 16) !== version.textDigest)
      faults.push(`the text of version ${id} does not match its digest`);
    const tokens = readTokens(kept.text, sequence);
    const fresh = sketchTokens(tokens, sketchOptions);
    const digests = equalityFingerprints(kept.text, tokens, fresh);
    const isSame =
      tokens.count === version.tokenCount &&
      digests.tokens === version.tokenDigest &&
      digests.shingles === version.shingleDigest &&
      fresh.sketch.limit === sketch.limit &&
      fresh.sketch.shingleCount === sketch.shingleCount &&
      fresh.sketch.keys.length === sketch.keys.length &&
      fresh.sketch.keys.every((key, i) => key === sketch.keys[i]);
    if (!isSame) faults.push(`the sketch of version ${id} does not match its text`);
  }
}

/** Whether there are as many keys as a sketch of so many shingles can have. */
function hasKeysOf({ keys, limit, shingleCount }: ShingleSketch, permutations: number): boolean {
  if (limit === SLOT_LIMIT) return keys.length === permutations;
  return limit === Number.POSITIVE_INFINITY ? keys.length === shingleCount : keys.length <= shingleCount;
}

/** The parameter `copy`, or null in an index built without copies. */
export function copyParametersOf(reader: IndexReader): CopyParameters | null {
  return storedCopyParameters(reader.card().parameters) ?? null;
}

/** The inverted index holds the keys by which every version is looked up, and nothing else. */
export function checkShingles(reader: IndexReader, faults: string[]): void {
  const missing = new Uint32Array(reader.versions.count);
  const expected: Float64Array[] = [];
  for (const { id, sketch } of reader.versions.all()) {
    expected[id] = sketch.keys.slice(0, lookupCount(sketch.keys));
    missing[id] = expected[id].length;
  }
  let previous = -1;
  for (const { key, versionIds } of reader.versions.allShingles()) {
    if (key <= previous) faults.push(`the shingle index is out of order at ${key}`);
    previous = key;
    for (const id of versionIds) {
      if (expected[id]?.includes(key) === true) missing[id]!--;
      else faults.push(`the shingle index gives version ${id} the key ${key}, by which it is not looked up`);
    }
  }
  for (const [id, count] of missing.entries()) {
    if (count !== 0) faults.push(`the shingle index lacks ${count} keys of version ${id}`);
  }
}
