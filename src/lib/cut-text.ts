/** The place in a text, or the one before it where it is within a pair of surrogates. */
export function cutPlace(text: string, place: number): number {
  const [before, behind] = [text.charCodeAt(place - 1), text.charCodeAt(place)];
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000 ? place - 1 : place;
}

/** The beginning of a text, at most so many UTF-16 units of it, and no half of a pair of surrogates. */
export function cutText(text: string, most: number): string {
  return text.slice(0, cutPlace(text, most));
}
