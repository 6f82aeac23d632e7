/** Up to this length a loop beats the call into the engine, and the array that it takes. */
const SHORT = 24;

/** Sorts the first `length` numbers of an array, ascending. */
export function sortFirst(numbers: Uint32Array | Float64Array, length: number): void {
  if (length > SHORT) {
    numbers.subarray(0, length).sort();
    return;
  }
  for (let i = 1; i < length; i++) {
    const number = numbers[i]!;
    let at = i;
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
    numbers[at] = number;
  }
}
