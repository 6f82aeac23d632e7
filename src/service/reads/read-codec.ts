/**
 * What routers and shards say to each other: JSON, in which arrays of numbers stand as base64 of their little-endian bytes
 * and Infinity as a word.
 */

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
} as const;
type ArrayName = keyof typeof ARRAYS;
const NAMES = Object.keys(ARRAYS) as ArrayName[];

/** Longest answer that is given and taken: all links of a shard are in one. */
export const MAX_ANSWER_BYTES = 512 * 2 ** 20;

export function encodeReads(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, shown: unknown) {
    // A Buffer has said already what it is in JSON.
    const own = this[key];
    if (own === Number.POSITIVE_INFINITY) return { $: 'infinity' };
    if (!ArrayBuffer.isView(own)) return shown;
    const bytes = Buffer.from(own.buffer, own.byteOffset, own.byteLength);
    const name = NAMES.find((one) => own instanceof ARRAYS[one])!;
    return { $: name, bytes: bytes.toString('base64') };
  });
}

/** Errors  SyntaxError, and RangeError for arrays of broken length. */
export function decodeReads(text: string): unknown {
  return revived(JSON.parse(text));
}

/** The same of JSON that is parsed already; it is changed. */
export function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$' in value) return numbersOf(value as { $: unknown; bytes?: unknown });
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'object' && member !== null) members[name] = revived(member);
  }
  return value;
}

function numbersOf(value: { readonly $: unknown; readonly bytes?: unknown }): unknown {
  const { $: name, bytes } = value;
  if (name === 'infinity') return Number.POSITIVE_INFINITY;
  if (!NAMES.includes(name as ArrayName) || typeof bytes !== 'string') return value;
  // Copied, so that numbers stand at a multiple of their size.
  const own = Uint8Array.from(Buffer.from(bytes, 'base64'));
  return new ARRAYS[name as ArrayName](own.buffer);
}
