/** A map, or a cache, that keeps what was made by its key. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key; where there is none, it is made and kept. */
export function keptIn<Key, Value>(
  kept: Kept<Key, Value>,
  key: Key,
  make: (key: Key) => NoInfer<Value>,
): Value {
  let value = kept.get(key);
  if (value === undefined) kept.set(key, (value = make(key)));
  return value;
}

/** The list of a key, to append to. */
export function listIn<Key, Item>(lists: Kept<Key, Item[]>, key: Key): Item[] {
  return keptIn(lists, key, () => []);
}

/** The number of a key: keys are numbered as they come, from 0. */
export function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  return keptIn(numbers, key, () => numbers.size);
}
