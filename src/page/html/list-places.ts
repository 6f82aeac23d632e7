/**
 * Where a page has room for its list of related pages, and the page with the list in it.
 *
 *   <!-- akin-related -->                                             becomes
 *   <!-- akin-related --> section <!-- /akin-related -->              and the same again
 *   <akin-related></akin-related>                                     becomes
 *   <akin-related> section </akin-related>                            and the same again
 *
 * A comment or a tag in a script, a style sheet or a text field is none: tokens are read, not characters.
 */
import { COMMENT, END, END_TAG, HtmlScanner, START_TAG } from './html-scanner.ts';

const NAME = 'akin-related';
const CLOSING_MARK = `<!-- /${NAME} -->`;
const OWN_SECTION = `<section class="${NAME}"`;

interface ListPlace {
  /** What stands there, with the closing mark: offsets in the page. */
  readonly start: number;
  readonly end: number;
  /** What is written behind the list. */
  readonly closing: string;
}

/**
 * In the order of the page. An element that holds something else than a list is none.
 *
 * @param html of any encoding that begins with ASCII, also as bytes read as latin1.
 */
export function listPlaces(html: string): ListPlace[] {
  if (!html.includes(NAME)) return [];
  const scanner = new HtmlScanner(html, false);
  const places: ListPlace[] = [];
  let mark = -1;
  let element = -1;
  const endMark = () => {
    if (mark >= 0) places.push({ start: mark, end: mark, closing: CLOSING_MARK });
    mark = -1;
  };
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    if (token === COMMENT) {
      const word = html.slice(scanner.start, scanner.end).trim();
      if (word === NAME) {
        endMark();
        mark = scanner.position;
      } else if (word === `/${NAME}` && mark >= 0) {
        places.push({ start: mark, end: scanner.position, closing: CLOSING_MARK });
        mark = -1;
      }
    } else if (token === START_TAG || token === END_TAG) {
      if (html.slice(scanner.nameStart, scanner.nameEnd).toLowerCase() !== NAME) continue;
      if (token === START_TAG) element = scanner.position;
      else if (element >= 0) {
        const end = scanner.nameStart - '</'.length;
        const held = html.slice(element, end).trim();
        if (held === '' || held.startsWith(OWN_SECTION)) places.push({ start: element, end, closing: '' });
        element = -1;
      }
    }
  }
  endMark();
  return places.sort((a, b) => a.start - b.start);
}

/** The page with this list at each place. */
export function withList(html: string, places: readonly ListPlace[], list: string): string {
  return replaced(html, places, ({ closing }) => `${list}${closing}`);
}

/** The page as it was before it got a list. */
export function withoutList(html: string, places: readonly ListPlace[]): string {
  return replaced(html, places, () => '');
}

function replaced(html: string, places: readonly ListPlace[], by: (place: ListPlace) => string): string {
  let text = '';
  let at = 0;
  for (const place of places) {
    // One within another.
    if (place.start < at) continue;
    text += html.slice(at, place.start) + by(place);
    at = place.end;
  }
  return text + html.slice(at);
}
