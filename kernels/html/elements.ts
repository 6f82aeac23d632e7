/** AssemblyScript: finds an element by its name as it stands in a page. */

// @ts-nocheck: compiled by asc, not by tsc.

import { ELEMENT_SLOT_BITS, ELEMENT_SLOT_BYTES, ELEMENTS_AT } from '../../src/page/html/kernel-layout';
import { endsName, lower } from './units';

const MAX_NAME_BYTES: u32 = 16;
const FACTOR_A: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const FACTOR_B: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;

/** Set by `readName`: where the name is over, and its bytes in lower case, none for one that is no element's. */
export let nameEnd: usize = 0;
let first: u64 = 0;
let second: u64 = 0;

/** Reads a name, whose first unit is a letter, up to `to` at most. */
export function readName(from: usize, to: usize): void {
  let at = from;
  let size: u32 = 0;
  let isKnown = true;
  first = 0;
  second = 0;
  while (at < to) {
    const unit = <u32>load<u16>(at);
    if (at > from && endsName(unit)) break;
    if (unit > 127 || unit === 0 || size === MAX_NAME_BYTES) isKnown = false;
    else if (size < 8) first |= (<u64>lower(unit)) << (size << 3);
    else second |= (<u64>lower(unit)) << ((size - 8) << 3);
    if (size < MAX_NAME_BYTES) ++size;
    at += 2;
  }
  if (!isKnown) {
    first = 0;
    second = 0;
  }
  nameEnd = at;
}

/** The slot of the name just read, or the free one where it would stand. */
function slotOf(): usize {
  let hash = (first * FACTOR_A) ^ (second * FACTOR_B);
  hash *= FACTOR_A;
  let at = ELEMENTS_AT + <usize>(hash >>> (64 - <u64>ELEMENT_SLOT_BITS)) * ELEMENT_SLOT_BYTES;
  while (load<u64>(at) !== 0 && (load<u64>(at) !== first || load<u64>(at, 8) !== second)) {
    at += ELEMENT_SLOT_BYTES;
    if (at === ELEMENTS_AT + (ELEMENT_SLOT_BYTES << (<usize>ELEMENT_SLOT_BITS))) at = ELEMENTS_AT;
  }
  return at;
}

/** The element whose name was just read, 0 for one that is not listed. */
export function elementOfName(): u32 {
  return first === 0 ? 0 : load<u32>(slotOf(), 16);
}

/** Lists an element by the `length` units of its name, of which there are at most 16. */
export function addElement(name: usize, length: u32, element: u32): void {
  readName(name, name + ((<usize>length) << 1));
  const at = slotOf();
  store<u64>(at, first);
  store<u64>(at, second, 8);
  store<u32>(at, element, 16);
}
