type Numbers = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** A copy of an array with room for `length` numbers, which is no less than it has; those behind are 0. */
export function longer<Kind extends Numbers>(array: Kind, length: number): Kind {
  const copy = new (array.constructor as new (length: number) => Kind)(length);
  copy.set(array);
  return copy;
}
