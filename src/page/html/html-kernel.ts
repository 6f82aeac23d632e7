/**
 * The SIMD kernel that reads HTML, with the memory it works in: one a thread, and one page at a time.
 *
 * The page, its text and what else it says have as much room each as the page has units: no value of a page is longer
 * than what is written there. What is read here is valid until the next page is loaded.
 */
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { createOwnMemory, growMemory, startKernel } from '../../lib/wasm.ts';
import { elementNames, elementOf } from './elements.ts';
import { HTML_KERNEL_BASE64 } from './html-kernel-bytes.ts';
import {
  ATTRIBUTE_END,
  ATTRIBUTE_START,
  BODY_BYTES,
  CONSUMED,
  CONTROL_COUNT,
  DROPPED_COUNT,
  ELEMENTS_AT,
  H1,
  HEADING_COUNT,
  LINK_BYTES,
  LINK_COUNT,
  LINKS_AT,
  NAME_END,
  NAMES_AT,
  PAGE_AT,
  RESOLVED_AT,
  TAIL,
  TEXT_LENGTH,
  TITLE_LENGTH,
  UNIT_COUNT,
  VALUE_END,
  VALUE_START,
} from './kernel-layout.ts';

const LINK_VALUES = LINK_BYTES / 4;

/** Units of zero behind a page, and room behind all else: blocks are read whole. */
const PADDING = 32;
/** For the first pages. */
const FIRST_ROOM_BYTES = 1 << 19;
/** No longer name of a reference is known; those by numbers have any length. */
const MAX_REFERENCE_LENGTH = 40;
const NUMERIC_REFERENCE = /^&#(?:x[\da-f]+|\d+);?/i;

/** Arguments are byte positions and counts, see kernels/html-kernel.ts. */
interface Exports {
  addElement(name: number, length: number, element: number): void;
  begin(units: number, length: number, xhtml: number, text: number, tail: number, headings: number): void;
  nextToken(): number;
  findAttribute(name: number, length: number): number;
  readAttributeAt(from: number): number;
  readPage(isFirst: number, endsAtMarks: number): number;
  closePage(): number;
  silence(element: number): void;
  watchScript(): void;
  tidyLines(isLine: number): void;
  startForeign(root: number): void;
  openForeign(element: number, isEmpty: number): void;
  closeForeign(element: number): void;
  readJsonString(from: number, units: number): number;
  narrowUnits(units: number, count: number, to: number): number;
}

const memory = createOwnMemory(PAGE_AT + FIRST_ROOM_BYTES);
export const kernel = startKernel<Exports>(HTML_KERNEL_BASE64, memory, {
  'page-text': { resolveReference },
  'read-page': { writeValue },
});
let bytes = Buffer.from(memory.buffer);
/** What the kernel leaves: see kernel-layout.ts. */
export let values = new Int32Array(memory.buffer);
let pageLength = 0;
/** Grows by one with each page that is taken. */
let generation = 0;
let textAt = PAGE_AT;
let tailAt = PAGE_AT;
let headingsAt = PAGE_AT;
const NO_ROOM = 0;
/** Address of each name of an attribute that was asked for. */
const names = new Map<string, number>();
let namesEnd = NAMES_AT;
layElements();

function layElements(): void {
  for (const name of elementNames()) {
    bytes.write(name, PAGE_AT, 'utf16le');
    kernel.addElement(PAGE_AT, name.length, elementOf(name));
  }
  values.set(['h1', 'section', 'script', 'svg', 'template', 'noscript'].map(elementOf), H1);
}

/** Lays out memory for a page of at most `capacity` units. */
function reserve(capacity: number): void {
  const room = 16 * Math.ceil((2 * (capacity + PADDING)) / 16);
  textAt = PAGE_AT + room;
  tailAt = textAt + room;
  headingsAt = tailAt + room;
  generation++;
  if (headingsAt + room <= bytes.length) return;
  growMemory(memory, headingsAt + room);
  bytes = Buffer.from(memory.buffer);
  values = new Int32Array(memory.buffer);
}

function begin(length: number, xhtml: boolean): void {
  pageLength = length;
  kernel.begin(PAGE_AT, length, Number(xhtml), textAt, tailAt, headingsAt);
}

/** Takes a page, to read it from its start. */
export function loadPage(html: string | JsonPage, xhtml: boolean): void {
  if (typeof html !== 'string') {
    html.assertLoaded();
    begin(html.length, xhtml);
    return;
  }
  reserve(html.length);
  bytes.write(html, PAGE_AT, 'utf16le');
  begin(html.length, xhtml);
}

/** A page of a line of JSON, which no string was made of. It must be read before the kernel takes another one. */
export class JsonPage {
  readonly #generation = generation;
  /** In UTF-16 units. */
  readonly length = values[UNIT_COUNT]!;
  /** Of its UTF-8. */
  readonly bodyBytes = values[BODY_BYTES]!;
  /** Among its first BINARY_SAMPLE_LENGTH units, those that text does not hold. */
  readonly controlCount = values[CONTROL_COUNT]!;
  /** Where its closing quotation mark stands in the line. */
  readonly end: number;

  constructor(end: number) {
    this.end = end;
  }

  assertLoaded(): void {
    if (this.#generation !== generation) throw new Error('another page was loaded in the place of this one');
  }

  toString(): string {
    this.assertLoaded();
    return unitsAt(PAGE_AT, this.length, tailAt);
  }
}

/**
 * Takes the string that begins in a line of JSON, in valid UTF-8, behind the quotation mark before `start`. Null for one that
 * `JSON.parse` is to read: what is not well formed, begins with a byte order mark or has half of a surrogate pair.
 */
export function loadJsonPage(line: Uint8Array, start: number): JsonPage | null {
  const { length } = line;
  reserve(length - start);
  bytes.set(line.subarray(start), textAt);
  bytes.fill(0, textAt + length - start, textAt + length - start + 16);
  const end = kernel.readJsonString(textAt, PAGE_AT);
  return end === 0 ? null : new JsonPage(start + end - textAt);
}

/** `page.slice(start, end)`. */
export function pageText(start: number, end: number): string {
  return unitsAt(PAGE_AT + 2 * start, end - start, values[TAIL]!);
}

/** @param free where there is room for as many bytes; may be `at`. */
function unitsAt(at: number, length: number, free: number): string {
  if (kernel.narrowUnits(at, length, free)) return bytes.toString('latin1', free, free + length);
  return bytes.toString('utf16le', at, at + 2 * length);
}

/** The value of an attribute of the tag just read, first of its name (in lower case), references resolved; undefined where there is none. */
export function attribute(name: string): string | undefined {
  const laid = names.get(name) ?? layName(name);
  if (laid !== NO_ROOM) return kernel.findAttribute(laid, name.length) ? attributeValue() : undefined;
  if (name.length > pageLength) return undefined;
  const at = values[TAIL]!;
  bytes.write(name, at, 'utf16le');
  return kernel.findAttribute(at, name.length) ? attributeValue() : undefined;
}

/** Where a name stands from now on, so that it is written once; the few that are asked for have room. */
function layName(name: string): number {
  if (namesEnd + 2 * name.length > ELEMENTS_AT) return NO_ROOM;
  const at = namesEnd;
  namesEnd += bytes.write(name, at, 'utf16le');
  names.set(name, at);
  return at;
}

/** Name as written and value of each attribute of the tag just read, doubles included. */
export function* attributes(): Generator<[name: string, value: string]> {
  for (let at = values[NAME_END]!; ; ) {
    at = kernel.readAttributeAt(at);
    if (at === 0) return;
    yield [pageText(values[ATTRIBUTE_START]!, values[ATTRIBUTE_END]!), attributeValue()];
  }
}

function attributeValue(): string {
  return resolvedValue(pageText(values[VALUE_START]!, values[VALUE_END]!));
}

/** The value of an attribute as it is written with its references resolved, but not in `?a=b&copy=c`; a NUL becomes U+FFFD. */
function resolvedValue(written: string): string {
  if (!written.includes('&') && !written.includes('\0')) return written;
  return decodeHTMLAttribute(written).replaceAll('\0', '\ufffd');
}

function writeValue(from: number, to: number): number {
  const value = resolvedValue(bytes.toString('utf16le', from, to));
  bytes.write(value, values[TAIL]!, 'utf16le');
  return value.length;
}

/** The table of 2,231 names is that of the package `entities`. Source  HTML standard, 13.2.5.72 to 13.2.5.80. */
function resolveReference(from: number, to: number): number {
  const written = bytes.toString('utf16le', from, to);
  const read = NUMERIC_REFERENCE.exec(written)?.[0] ?? written.slice(0, MAX_REFERENCE_LENGTH);
  const text = decodeHTML(read);
  bytes.write(text, RESOLVED_AT, 'utf16le');
  values[CONSUMED] = read.length;
  return text.length;
}

/** The title that has just ended, tidied. */
export function titleText(): string {
  const at = values[TAIL]!;
  return unitsAt(at, values[TITLE_LENGTH]!, at).toWellFormed();
}

/** The tidied text of the page, which is read to its end. */
export function tidiedText(): string {
  return unitsAt(textAt, values[TEXT_LENGTH]!, textAt).toWellFormed();
}

/** Starts and ends of its headings; -1 for the end of one without end tag. */
export function headingEnds(): Int32Array {
  return new Int32Array(memory.buffer.slice(headingsAt, headingsAt + 8 * values[HEADING_COUNT]!));
}

/** The links of a page in document order, as they are written. */
export interface WrittenLinks {
  readonly count: number;
  /** Those behind the first of them that are kept. */
  readonly droppedCount: number;
  readonly href: (link: number) => string;
  /** '' where there is none. */
  readonly rel: (link: number) => string;
  readonly start: (link: number) => number;
  readonly end: (link: number) => number;
}

/** Those of the page, which is read to its end; they stay. */
export function writtenLinks(): WrittenLinks {
  const count = values[LINK_COUNT]!;
  const droppedCount = values[DROPPED_COUNT]!;
  const from = LINKS_AT / 4;
  const links = values.slice(from, from + LINK_VALUES * count);
  const written = unitsAt(tailAt, (values[TAIL]! - tailAt) / 2, tailAt);
  const value = (link: number, first: number, isWritten: number) => {
    const at = link * LINK_VALUES;
    const text = written.slice(links[at + first], links[at + first + 1]);
    return (links[at + 3]! & isWritten) === 0 ? text : resolvedValue(text);
  };
  return {
    count,
    droppedCount,
    href: (link) => value(link, 0, 1),
    rel: (link) => value(link, 1, 2),
    start: (link) => links[link * LINK_VALUES + 4]!,
    end: (link) => links[link * LINK_VALUES + 5]!,
  };
}
