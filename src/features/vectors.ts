/**
 * Vectors that a page's owner gives beside its text, as an encoder outside akin makes them. Each has a name, and all vectors
 * of one name are to have one length.
 *
 *   {"minilm": [0.12, -0.5, ...], "clip": "<base64 of float32, little-endian>"}
 *
 * A component is kept as the nearest of 255 steps from -127 to 127, the largest of the vector being 127 or -127. How long a
 * vector was is not kept: a cosine does not ask for it. They travel as the JSON text of names, in order, and the base64
 * of these bytes, '' where there are none.
 */
import { cutText } from '../lib/cut-text.ts';
import { GROUP_FORM, isGroup } from './parts.ts';

/** Int8Array(dimensions) of each name; none is all zeros. */
export type OwnVectors = Readonly<Record<string, Int8Array>>;

export const MAX_VECTORS = 4;
export const LEAST_DIMENSIONS = 2;
export const MAX_DIMENSIONS = 4096;
/** Of the component that is largest. */
const LARGEST_STEP = 127;
const FLOAT_BYTES = 4;

/** The vectors of a record; those that cannot be used are left out, and `fault` says in words what is wrong with the first of them. */
export function readVectors(value: unknown): { readonly vectors: OwnVectors; readonly fault: string | null } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { vectors: {}, fault: 'vectors: expected an object of names and vectors' };
  }
  const vectors: Record<string, Int8Array> = {};
  let fault: string | null = null;
  for (const [i, [name, given]] of Object.entries(value).entries()) {
    const read = i < MAX_VECTORS ? readVector(name, given) : `more than ${MAX_VECTORS} on a page`;
    if (typeof read !== 'string') vectors[name] = read;
    else fault ??= `vectors.${cutText(name, 60)}: ${read}`;
  }
  return { vectors, fault };
}

function readVector(name: string, given: unknown): Int8Array | string {
  if (!isGroup(name)) return `the name is not ${GROUP_FORM}`;
  const values = typeof given === 'string' ? floatsOf(given) : given;
  if (values === null) return 'the text is not the base64 of numbers of 4 bytes';
  if (!(values instanceof Float32Array) && !Array.isArray(values)) {
    return 'expected an array of numbers, or base64 of float32';
  }
  const { length } = values;
  if (length < LEAST_DIMENSIONS || length > MAX_DIMENSIONS) {
    return `${length} components; ${LEAST_DIMENSIONS} to ${MAX_DIMENSIONS} are allowed`;
  }
  let largest = 0;
  for (let i = 0; i < length; i++) {
    const component: unknown = values[i];
    if (typeof component !== 'number' || !Number.isFinite(component)) return `component ${i} is no number`;
    largest = Math.max(largest, Math.abs(component));
  }
  if (largest === 0) return 'all components are zero';
  return Int8Array.from(values as ArrayLike<number>, (component) =>
    Math.round((component / largest) * LARGEST_STEP),
  );
}

/** Null where the text is no base64 of whole numbers. */
function floatsOf(text: string): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  const isWhole = bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '');
  if (!isWhole || bytes.length % FLOAT_BYTES !== 0) return null;
  return Float32Array.from({ length: bytes.length / FLOAT_BYTES }, (_, i) =>
    bytes.readFloatLE(FLOAT_BYTES * i),
  );
}

/** '' for none. */
export function packVectors(vectors: OwnVectors): string {
  const entries = Object.entries(vectors).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return '';
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([name, { buffer, byteOffset, length }]) => [
        name,
        Buffer.from(buffer, byteOffset, length).toString('base64'),
      ]),
    ),
  );
}

export function unpackVectors(packed: string): OwnVectors {
  if (packed === '') return {};
  const texts = Object.entries(JSON.parse(packed) as Record<string, string>);
  return Object.fromEntries(
    texts.map(([name, text]) => [name, new Int8Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)]),
  );
}
