/** What the alias book says of each capture, as bits. */

/** Another answer holds for its URL, or another capture speaks for what it names as its canonical URL. */
export const SUPERSEDED = 1;
/** An answer of another sweep took its place: it is kept as history. */
export const PAST = 2;
/** It is the answer of its URL, and another URL's capture speaks for it. */
export const FOLDED = 4;
/** It asks not to be indexed: what was captured of its URL before it is not kept. */
export const ERASES = 8;
