/** Numbers in binary columns: little-endian, at any address. */

export function uint32s(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

export function float64s(bytes: Uint8Array): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer);
}

/** Whole numbers of a text column, separated by blanks. */
export function numbersOf(text: string): number[] {
  return text === '' ? [] : text.split(' ').map(Number);
}
