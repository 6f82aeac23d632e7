/**
 * The SIMD kernel between a text and its features, with the memory it works in: one a thread.
 *
 *   | signs, members | slots | entries | folds | work ...
 *
 * What stands before `work` stays; `work` is what each call lays its
 * arrays out in, end to end. Results are views, valid until the next call.
 *
 * A token gets a number, so that what is known of it need not be worked out again, if it has no more than 16 units and
 * none above U+2BFF; the rest (ideographs, syllables, long words) is left to the slow road of its reader.
 */
import { createOwnMemory, growMemory, startKernel } from '../lib/wasm.ts';
import { BREAK, foldOf, IGNORED } from './fold.ts';
import { levelShares, shareBelow, shingleCount } from './shingle.ts';
import { TEXT_KERNEL_BASE64 } from './text-kernel-bytes.ts';
import type { TokenSequence } from './token-sequence.ts';
import { usualKana } from './width.ts';
import type { WordSequence } from './word-sequence.ts';

/** Stands for the number of a token that has none. */
export const NO_ENTRY = 0xffffffff;
/** Numbers are below this; a token with letters above U+00FF takes two. */
export const ENTRY_LIMIT = 1 << 17;
/** Uint32 values a token: start, end, number. */
export const SPAN_SIZE = 3;

const SLOT_BITS = 18;
const FIRST_SIGN = 0x2000;
const SIGN_COUNT = 0xc00;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
/** Units of zero behind a text: its last block is read whole. */
const PADDING = 80;
const BUCKETS_A_KEY = 2;

const MEMBERS_AT = SIGN_COUNT;
const SLOTS_AT = 4096;
/** Of each number: key, lanes, word and place, as in kernels/text/entry.ts. */
const ENTRIES_AT = SLOTS_AT + (4 << SLOT_BITS);
const ENTRY_BYTES = 32;
const WORD = 24;
const PLACE = 28;
/** What each unit is to tokens, 0 where it was not met yet. */
const FOLDS_AT = ENTRIES_AT + ENTRY_BYTES * ENTRY_LIMIT;
const WORK_AT = FOLDS_AT + 2 * 65_536;
/** Of work, to begin with. */
const FIRST_WORK_BYTES = 1 << 18;
/** Two lanes, start and end. */
const TOKEN_BYTES = 16;
/** Number, start and end. */
const WORD_BYTES = 12;

/** Arguments are byte positions and counts, see kernels/text-kernel.ts. */
interface Exports {
  readonly entryCount: { value: number };
  readonly wordCount: { value: number };
  readonly digestHigh: { value: number };
  readonly digestLow: { value: number };
  internTokens(
    units: number,
    length: number,
    signs: number,
    members: number,
    bytes: number,
    slots: number,
    slotBits: number,
    entries: number,
    limit: number,
    spans: number,
  ): number;
  readTokens(units: number, length: number, folds: number, tokens: number, room: number): number;
  takeTokens(
    units: number,
    spans: number,
    spanCount: number,
    entries: number,
    folds: number,
    tokens: number,
    room: number,
  ): number;
  takeWords(
    spans: number,
    from: number,
    spanCount: number,
    entries: number,
    words: number,
    room: number,
  ): number;
  shingleSet(
    high: number,
    low: number,
    count: number,
    shingleSize: number,
    slots: number,
    mask: number,
    members: number,
  ): number;
  sortKeys(
    keys: number,
    count: number,
    shares: number,
    lines: number,
    places: number,
    buckets: number,
    out: number,
  ): void;
  countControls(bytes: number, length: number): number;
}

const memory = createOwnMemory(WORK_AT + FIRST_WORK_BYTES);
const kernel = startKernel<Exports>(TEXT_KERNEL_BASE64, memory, { 'read-tokens': { foldOf, usualKana } });
let bytes = Buffer.from(memory.buffer);
layTables();

function layTables(): void {
  for (let i = 0; i < SIGN_COUNT; i++) {
    const fold = foldOf(FIRST_SIGN + i);
    bytes[i] = fold === BREAK ? SPACE : fold === IGNORED ? APOSTROPHE : 0;
  }
  // Byte 16 h + l is bit h & 7 of row l, in the second table from h = 8 on. Bytes 0 and 1 stand for units above.
  bytes.fill(1, MEMBERS_AT, MEMBERS_AT + 2);
  for (let unit = 2; unit < 256; unit++) {
    const fold = foldOf(unit);
    const row = MEMBERS_AT + (unit & 15) + (unit < 128 ? 0 : 16);
    if (fold !== BREAK && fold !== IGNORED) bytes[row]! |= 1 << ((unit >> 4) & 7);
  }
}

/** Makes room for `size` bytes of work. */
function reserve(size: number): void {
  if (WORK_AT + size <= bytes.length) return;
  growMemory(memory, WORK_AT + size);
  bytes = Buffer.from(memory.buffer);
}

/** How many numbers are taken; at ENTRY_LIMIT no token gets one. */
export function entryCount(): number {
  return kernel.entryCount.value;
}

/** Takes all numbers back. */
export function forgetEntries(): void {
  bytes.fill(0, SLOTS_AT, FOLDS_AT);
  kernel.entryCount.value = 0;
}

/**
 * The tokens of a text in order, SPAN_SIZE values each: start and end in UTF-16 units, and a number below
 * ENTRY_LIMIT for its form. Forms of Latin letters share theirs if they differ in the case of A-Z alone. A span of
 * other letters or of NO_ENTRY may hold any count of tokens, whole ones: nothing outside of it has a part in them.
 */
export function internTokens(text: string): Uint32Array {
  const { length } = text;
  const unitRoom = align(2 * (length + PADDING));
  const byteRoom = align(length + PADDING + 16);
  // With room for `takeTokens` and `takeWords`, behind which the spans are still asked for.
  reserve(unitRoom + byteRoom + 4 * SPAN_SIZE * ((length >> 1) + 1) + (TOKEN_BYTES + WORD_BYTES) * length);
  const bytesAt = WORK_AT + unitRoom;
  const spansAt = bytesAt + byteRoom;
  bytes.write(text, WORK_AT, 'utf16le');
  bytes.fill(0, WORK_AT + 2 * length, WORK_AT + unitRoom);
  const count = kernel.internTokens(
    WORK_AT,
    length,
    0,
    MEMBERS_AT,
    bytesAt,
    SLOTS_AT,
    SLOT_BITS,
    ENTRIES_AT,
    ENTRY_LIMIT,
    spansAt,
  );
  return new Uint32Array(memory.buffer, spansAt, SPAN_SIZE * count);
}

/** Writes the tokens of a text to `into`. */
export function readTokens(text: string, into: TokenSequence): void {
  const { length } = text;
  const tokensAt = WORK_AT + align(2 * length);
  reserve(tokensAt + TOKEN_BYTES * length - WORK_AT);
  bytes.write(text, WORK_AT, 'utf16le');
  into.set(memory.buffer, tokensAt, length, kernel.readTokens(WORK_AT, length, FOLDS_AT, tokensAt, length));
}

/** The same of the text of which `internTokens` gave the spans, where it was asked for nothing since. */
export function takeTokens({ length }: string, spans: Uint32Array, into: TokenSequence): void {
  const tokensAt = spans.byteOffset + spans.byteLength;
  const spanCount = spans.length / SPAN_SIZE;
  const count = kernel.takeTokens(
    WORK_AT,
    spans.byteOffset,
    spanCount,
    ENTRIES_AT,
    FOLDS_AT,
    tokensAt,
    length,
  );
  into.set(memory.buffer, tokensAt, length, count);
}

/** Takes the number of a word, and where in its span it stands. */
export type AddWord = (number: number, start: number, end: number) => void;

/** Stands for the words of a span that has more than one. */
export const SEVERAL = -1;
/** The one word of a span of at most 16 units, null where there is none. */
export type LearnedWord =
  | { readonly number: number; readonly start: number; readonly end: number }
  | typeof SEVERAL
  | null;

/** Finds what the kernel does not know: the word of a form that is new, the words of a span that are not kept. */
interface WordReader {
  readonly learn: (span: string) => LearnedWord;
  readonly read: (span: string, add: AddWord) => void;
}

/** What is kept of a number, beside SEVERAL: there is no word; it has the one of number `word - FIRST_WORD`. */
const NO_WORD = 1;
const FIRST_WORD = 2;

/** Writes the words of the text of which `internTokens` gave the spans to `into`, where it was asked at most for the tokens since. */
export function takeWords(text: string, spans: Uint32Array, into: WordSequence, reader: WordReader): void {
  const { length } = text;
  const spanCount = spans.length / SPAN_SIZE;
  const spansAt = spans.byteOffset;
  const wordsAt = spansAt + spans.byteLength + TOKEN_BYTES * length;
  const columns = new Uint32Array(memory.buffer, wordsAt, 3 * length);
  const { wordCount } = kernel;
  wordCount.value = 0;
  let span = 0;
  while ((span = kernel.takeWords(spansAt, span, spanCount, ENTRIES_AT, wordsAt, length)) < spanCount) {
    const from = spans[SPAN_SIZE * span]!;
    const form = text.slice(from, spans[SPAN_SIZE * span + 1]);
    const entry = spans[SPAN_SIZE * span + 2]!;
    if (entry !== NO_ENTRY && keepWord(entry, form, reader)) continue;
    let count = wordCount.value;
    reader.read(form, (number, start, end) => {
      columns[count] = number;
      columns[count + length] = from + start;
      columns[count++ + 2 * length] = from + end;
    });
    wordCount.value = count;
    span++;
  }
  into.set(memory.buffer, wordsAt, length, wordCount.value);
}

/** Keeps the word of a number that has none yet; false where it has several. */
function keepWord(entry: number, form: string, { learn }: WordReader): boolean {
  const at = ENTRIES_AT + ENTRY_BYTES * entry;
  if (bytes.readInt32LE(at + WORD) === SEVERAL) return false;
  const learned = learn(form);
  if (learned === SEVERAL) bytes.writeInt32LE(SEVERAL, at + WORD);
  else if (learned === null) bytes.writeInt32LE(NO_WORD, at + WORD);
  else {
    bytes.writeInt32LE(learned.number + FIRST_WORD, at + WORD);
    // Of 16 units: the first and the last share a byte.
    bytes[at + PLACE] = learned.start | ((learned.end - 1) << 4);
  }
  return learned !== SEVERAL;
}

/** Distinct shingle keys in the order they come, and two sums over them that do not depend on the order. */
interface ShingleSet {
  readonly keys: Float64Array;
  readonly digestHigh: number;
  readonly digestLow: number;
}

/** The set of what `shingleKeys` gives for the same tokens. */
export function shingleSet(tokens: TokenSequence, shingleSize: number): ShingleSet {
  const { count } = tokens;
  if (count === 0) return { keys: new Float64Array(0), digestHigh: 0, digestLow: 0 };
  const room = shingleCount(count, shingleSize);
  let slotCount = 2048;
  while (slotCount < 2 * room) slotCount *= 2;
  const lowAt = WORK_AT + 4 * count;
  const slotsAt = align(lowAt + 4 * count);
  const keysAt = slotsAt + 8 * slotCount;
  reserve(keysAt + 8 * room - WORK_AT);
  const lanes = new Int32Array(memory.buffer, WORK_AT, 2 * count);
  lanes.set(tokens.high.subarray(0, count));
  lanes.set(tokens.low.subarray(0, count), count);
  const size = kernel.shingleSet(WORK_AT, lowAt, count, shingleSize, slotsAt, slotCount - 1, keysAt);
  return {
    keys: new Float64Array(memory.buffer, keysAt, size),
    digestHigh: kernel.digestHigh.value | 0,
    digestLow: kernel.digestLow.value | 0,
  };
}

const SHARES = levelShares();

/** The first `count` of `keys`, all below `limit`, ascending, in an array of their own. */
export function sortKeys(keys: Float64Array, count: number, limit: number): Float64Array {
  if (count < 2) return keys.slice(0, count);
  const keysAt = WORK_AT + 8 * SHARES.length;
  const outAt = keysAt + 8 * count;
  const linesAt = outAt + 8 * count;
  const placesAt = linesAt + 8 * SHARES.length;
  const bucketsAt = placesAt + 4 * count;
  reserve(bucketsAt + 4 * (BUCKETS_A_KEY * count + 1) - WORK_AT);
  const work = new Float64Array(memory.buffer, WORK_AT, SHARES.length + 2 * count);
  const scale = 1 / shareBelow(limit);
  for (let i = 0; i < SHARES.length; i++) work[i] = scale * SHARES[i]!;
  work.set(keys.subarray(0, count), SHARES.length);
  kernel.sortKeys(keysAt, count, WORK_AT, linesAt, placesAt, bucketsAt, outAt);
  return work.slice(SHARES.length + count);
}

/** How many bytes are control characters other than tab, line feed, form feed, carriage return and escape. */
export function countControls(sample: Uint8Array): number {
  const room = align(sample.length);
  reserve(room);
  bytes.set(sample, WORK_AT);
  bytes.fill(SPACE, WORK_AT + sample.length, WORK_AT + room);
  return kernel.countControls(WORK_AT, sample.length);
}

/** No less than there are in the UTF-8 of a text: characters above U+00FF count by their lower byte. */
export function mostControls(text: string): number {
  const { length } = text;
  const room = align(length);
  reserve(room);
  bytes.write(text, WORK_AT, 'latin1');
  bytes.fill(SPACE, WORK_AT + length, WORK_AT + room);
  return kernel.countControls(WORK_AT, length);
}

function align(size: number): number {
  return 16 * Math.ceil(size / 16);
}
