/** A text with something in place of each word that is known, which may stand inside another one; words are what blanks are between. */
export function replaceWords(text: string, instead: ReadonlyMap<string, string>): string {
  return text.replace(/\S+/g, (word) => instead.get(word) ?? word);
}
