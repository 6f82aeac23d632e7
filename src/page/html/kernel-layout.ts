/**
 * What the HTML kernel and its caller agree on: constants alone, as the kernel is compiled with them, too.
 *
 *   | values | names | elements | references | resolved | links | attributes | units of the page | text | tail | headings |
 */

/** Of attributes that the caller asks for. */
export const NAMES_AT = 256;
export const ELEMENTS_AT = 1024;
export const ELEMENT_SLOT_BITS = 9;
export const ELEMENT_SLOT_BYTES = 32;
export const REFERENCES_AT = ELEMENTS_AT + (ELEMENT_SLOT_BYTES << ELEMENT_SLOT_BITS);
export const REFERENCE_SLOT_BITS = 10;
export const REFERENCE_SLOT_BYTES = 32;
/** What a reference stands for, as the caller writes it. */
export const RESOLVED_AT = REFERENCES_AT + (REFERENCE_SLOT_BYTES << REFERENCE_SLOT_BITS);
export const LINKS_AT = RESOLVED_AT + 256;
/** Links of a page that are kept; of 53,293 pages of a crawl the richest has 2,654. */
export const MAX_LINKS = 10_000;
/** Where its href begins and ends, where its rel ends, which of them are as written, start and end of its anchor. */
export const LINK_BYTES = 24;
/** Of the tag just read: where the name and the value of each begin and end. */
export const ATTRIBUTES_AT = LINKS_AT + LINK_BYTES * MAX_LINKS;
export const MAX_KNOWN_ATTRIBUTES = 32;
export const PAGE_AT = ATTRIBUTES_AT + 16 * MAX_KNOWN_ATTRIBUTES;

// Places of values of four bytes each. Of a token:
export const START = 0;
export const END = 1;
export const NAME_START = 2;
export const NAME_END = 3;
export const ELEMENT = 4;
export const SELF_CLOSING = 5;
export const REFERENCES = 6;
export const POSITION = 7;
/** Whether a tag so far had an attribute by which pages mark their parts. */
export const HAS_MARKS = 8;
// Of an attribute:
export const ATTRIBUTE_START = 9;
export const ATTRIBUTE_END = 10;
export const VALUE_START = 11;
export const VALUE_END = 12;
// Of what was read so far:
export const FOREIGN_ROOT_NOW = 13;
export const IS_FOREIGN = 14;
export const TEXT_LENGTH = 15;
/** Address behind the values of links: there a title stands, and what the caller writes. */
export const TAIL = 16;
export const TITLE_LENGTH = 17;
export const LINK_COUNT = 18;
export const DROPPED_COUNT = 19;
export const HEADING_COUNT = 20;
/** Where the first h1 stands in the text; -1 before it. */
export const FIRST_HEADING = 21;
// Of a string of JSON:
export const UNIT_COUNT = 22;
/** Of its UTF-8. */
export const BODY_BYTES = 23;
/** Control characters that text does not hold, among the first units. */
export const CONTROL_COUNT = 24;
// Written by the caller: how many units a reference took, and the numbers of some elements.
export const CONSUMED = 25;
export const H1 = 26;
export const SECTION = 27;
export const SCRIPT = 28;
export const SVG = 29;
export const TEMPLATE = 30;
export const NOSCRIPT = 31;

// Kinds of tokens:
/** The page is over. */
export const NO_MORE = 0;
export const TEXT_TOKEN = 1;
export const START_TAG_TOKEN = 2;
export const END_TAG_TOKEN = 3;
export const COMMENT_TOKEN = 4;
export const DOCTYPE_TOKEN = 5;

// What the caller is to look at, beside kinds of elements:
export const NOTHING = 0;
export const TITLE_END = 16;
export const WEIGHT_END = 17;
export const SCRIPT_START = 18;
export const WATCHED_SCRIPT = 19;
export const SECTION_START = 20;
export const NOSCRIPT_TEXT = 21;

/** Bytes, and so units, by which it is judged whether a page is text. */
export const BINARY_SAMPLE_LENGTH = 65_536;
