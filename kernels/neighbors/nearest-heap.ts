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

export function scoreAt(slot: u32): f64 {
  return load<f64>(scores + ((<usize>slot) << 3));
}

export function idAt(slot: u32): u32 {
  return load<u32>(ids + ((<usize>slot) << 2));
}

export function valueAt(slot: u32): u32 {
  return load<u32>(values + ((<usize>slot) << 2));
}

function isWorse(slot: u32, score: f64, id: u32): bool {
  const own = scoreAt(slot);
  return own < score || (own === score && idAt(slot) > id);
}

function put(slot: u32, score: f64, id: u32, value: u32): void {
  store<f64>(scores + ((<usize>slot) << 3), score);
  store<u32>(ids + ((<usize>slot) << 2), id);
  store<u32>(values + ((<usize>slot) << 2), value);
}

function move(from: u32, to: u32): void {
  put(to, scoreAt(from), idAt(from), valueAt(from));
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
    if (child + 1 < end && isWorse(child + 1, scoreAt(child), idAt(child))) child++;
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
    const score = scoreAt(end);
    const id = idAt(end);
    const value = valueAt(end);
    move(0, end);
    siftDown(score, id, value, end);
  }
}
