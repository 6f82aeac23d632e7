/** AssemblyScript: the best so far of what is offered, the least of them at the root: by score, and then by id from behind. */

// @ts-nocheck: compiled by asc, not by tsc.

let most: u32;
let scores: usize;
let ids: usize;
let values: usize;

/** How many there are. */
export let size: u32;

/** Takes down where `limit` of them have room: scores (f64), ids and values (u32). */
export function openHeap(limit: u32, scoresAt: usize, idsAt: usize, valuesAt: usize): void {
  most = limit;
  scores = scoresAt;
  ids = idsAt;
  values = valuesAt;
}

export function clearHeap(): void {
  size = 0;
}

function isWorse(slot: u32, score: f64, id: u32): bool {
  const own = load<f64>(scores + ((<usize>slot) << 3));
  return own < score || (own === score && load<u32>(ids + ((<usize>slot) << 2)) > id);
}

function put(slot: u32, score: f64, id: u32, value: u32): void {
  store<f64>(scores + ((<usize>slot) << 3), score);
  store<u32>(ids + ((<usize>slot) << 2), id);
  store<u32>(values + ((<usize>slot) << 2), value);
}

function move(from: u32, to: u32): void {
  put(
    to,
    load<f64>(scores + ((<usize>from) << 3)),
    load<u32>(ids + ((<usize>from) << 2)),
    load<u32>(values + ((<usize>from) << 2)),
  );
}

/** Takes a page in where it is among the `k` best. */
export function offer(score: f64, id: u32, value: u32): void {
  if (size < most) {
    let slot = size++;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (isWorse(parent, score, id)) break;
      move(parent, slot);
      slot = parent;
    }
    put(slot, score, id, value);
  } else if (most > 0 && isWorse(0, score, id)) {
    siftDown(score, id, value, size);
  }
}

function siftDown(score: f64, id: u32, value: u32, end: u32): void {
  let slot: u32 = 0;
  for (;;) {
    let child: u32 = 2 * slot + 1;
    if (child >= end) break;
    if (
      child + 1 < end &&
      isWorse(child + 1, load<f64>(scores + ((<usize>child) << 3)), load<u32>(ids + ((<usize>child) << 2)))
    ) {
      child++;
    }
    if (!isWorse(child, score, id)) break;
    move(child, slot);
    slot = child;
  }
  put(slot, score, id, value);
}

/** Puts the heap in order, best first. */
export function sortHeap(): void {
  if (size === 0) return;
  for (let end = size - 1; end > 0; end--) {
    const score = load<f64>(scores + ((<usize>end) << 3));
    const id = load<u32>(ids + ((<usize>end) << 2));
    const value = load<u32>(values + ((<usize>end) << 2));
    move(0, end);
    siftDown(score, id, value, end);
  }
}
