import { listIn } from '../../lib/kept.ts';
import { searchWords } from '../../text/search/search-words.ts';
import type { PageWords } from '../reads/live/page-said.ts';

/** What a search finds a page by. */
export function pageWords(title: string, text: string): PageWords {
  const placesOf = new Map<string, number[]>();
  const [ofTitle, ofText] = [searchWords(title), searchWords(text)];
  for (const [place, { word }] of ofTitle.entries()) listIn(placesOf, word).push(place);
  for (const [i, { word }] of ofText.entries()) listIn(placesOf, word).push(ofTitle.length + 1 + i);
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
