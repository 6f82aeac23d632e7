/**
 * The cosine of two vectors of whole numbers, as lists hold it: in parts of 60,000, 0 where it is negative.
 *
 * Components are rounded (features/vectors.ts): each is off by half a step at most, so that a vector q of d components stands
 * at an angle of asin(sqrt(d) / 2 |q|) at most to what was given, and a cosine is off by the sum of both angles at most. Roundings
 * cancel out, so that most are off by far less.
 */

/** A similarity of 1. */
export const COSINE_PARTS = 60_000;

/** The square of a vector's length: below 2^26 for vectors of bytes, so that no product of two is rounded. */
export function squareOf(vector: Int8Array): number {
  let sum = 0;
  for (const component of vector) sum += component * component;
  return sum;
}

/** 0 where one is all zeros, as none is that was given. */
export function cosineParts(dot: number, squareA: number, squareB: number): number {
  if (dot <= 0) return 0;
  return Math.round((COSINE_PARTS * dot) / Math.sqrt(squareA * squareB));
}

/** The same of two vectors of one length. */
export function cosineOf(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return cosineParts(dot, squareOf(a), squareOf(b));
}

/** The greatest angle, in radians, between a vector and the one that it was rounded from. */
export function roundingAngle(square: number, dimensions: number): number {
  return Math.asin(Math.min(1, Math.sqrt(dimensions / square) / 2));
}
