import { cutText } from '../../../lib/cut-text.ts';
import { firstWords } from '../../../lib/first-words.ts';
import { type TextRange, templateRanges } from './template-ranges.ts';

/** Letters that are looked at: first as many as most templates have at their head, then more. */
const LOOKED_AT_CHARS = [1500, 6000];
/** Letters of a passage. */
const PASSAGE_CHARS = 200;
/** What stands between two stretches of a template, and is shorter, says nothing of a page. */
const LEAST_CHARS = 40;

/**
 * The first words of a page that are its own: outside the template of its host, without its title. Undefined where the
 * beginning of the text has none.
 *
 * @param template keys, as for `templateRanges`. Cost  some 20 ns a letter that is looked at.
 */
export function ownBeginning(
  text: string,
  title: string,
  template: Float64Array,
  shingleSize: number,
): string | undefined {
  const looked = template.length === 0 ? [2 * PASSAGE_CHARS + title.length] : LOOKED_AT_CHARS;
  for (const chars of looked) {
    const part = cutText(text, chars);
    for (const [from, to] of between(templateRanges(part, template, shingleSize), part.length)) {
      const own = withoutTitle(plain(part.slice(from, to)), title);
      const isCut = to < text.length && to === part.length;
      if (own.length >= LEAST_CHARS && (!isCut || own.length >= PASSAGE_CHARS || chars === looked.at(-1))) {
        return shortened(own, isCut);
      }
    }
    if (text.length <= chars) break;
  }
  return undefined;
}

/** The stretches that no range covers. */
function between(ranges: readonly TextRange[], end: number): TextRange[] {
  const starts = [0, ...ranges.map(([, to]) => to)];
  const ends = [...ranges.map(([from]) => from), end];
  return starts.map((from, i) => [from, ends[i]!]);
}

/** White space as one space, no sign before the first letter that ends what went before. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,:;|)\]}>»*•·–-]+/, '')
    .trimEnd();
}

function withoutTitle(text: string, title: string): string {
  const name = plain(title);
  return name !== '' && text.startsWith(name) ? plain(text.slice(name.length)) : text;
}

/** Cut between two words, where there are any. */
function shortened(text: string, isCut: boolean): string {
  if (text.length <= PASSAGE_CHARS) return isCut ? `${text} …` : text;
  return `${firstWords(text, PASSAGE_CHARS - 2)} …`;
}
