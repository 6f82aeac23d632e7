/**
 * Place of the first of ascending numbers that is not below `value`, among those from `from` to `to` - 1; `to` where there
 * is none. Loops over keys of one kind keep their own: a call for several kinds of arrays takes twice the time.
 */
export function firstNotBelow(
  ascending: ArrayLike<number>,
  value: number,
  from = 0,
  to = ascending.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of `value` among them; -1 where it is none of them. */
export function placeAmong(
  ascending: ArrayLike<number>,
  value: number,
  from = 0,
  to = ascending.length,
): number {
  const place = firstNotBelow(ascending, value, from, to);
  return place < to && ascending[place] === value ? place : -1;
}
