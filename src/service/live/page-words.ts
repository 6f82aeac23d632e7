import { searchWords } from '../../text/search/search-words.ts';
import type { PageWords } from '../reads/live/page-said.ts';

/** What a search finds a page by. */
export function pageWords(title: string, text: string): PageWords {
  const placesOf = new Map<string, number[]>();
  const add = (word: string, place: number) => {
    const places = placesOf.get(word);
    if (places === undefined) placesOf.set(word, [place]);
    else places.push(place);
  };
  const [ofTitle, ofText] = [searchWords(title), searchWords(text)];
  for (const [place, { word }] of ofTitle.entries()) add(word, place);
  for (const [i, { word }] of ofText.entries()) add(word, ofTitle.length + 1 + i);
  const all = [...placesOf.values()];
  let end = 0;
  return {
    text: new TextEncoder().encode([...placesOf.keys()].join(' ')),
    titleHits: Uint32Array.from(all, (places) => places.filter((place) => place < ofTitle.length).length),
    ends: Uint32Array.from(all, ({ length }) => (end += length)),
    places: Uint32Array.from(all.flat()),
    length: ofTitle.length + ofText.length,
  };
}
