/** Words that two texts share, marked in one of them: the stronger, the more of what both have is theirs. */
import { porterStem } from '../../features/counts/porter.ts';
import { type Html, html } from '../../service/http/markup.ts';
import type { SharedTermAnswer } from '../../service/schemas/answers/term-answers.ts';
import { forEachWord } from '../../text/words.ts';

const STRENGTHS = 3;
const ASCII_WORD = /^[a-z]+$/;

/** Every form of the terms is marked, as forms of one stem count as one word. */
export function sharedWords(text: string, terms: readonly SharedTermAnswer[]): Html {
  const greatest = Math.max(...terms.map(({ share }) => share), Number.MIN_VALUE);
  const strengths = new Map<string, number>();
  for (const { term, share } of terms) {
    const strength = Math.max(1, Math.ceil((STRENGTHS * share) / greatest));
    const stem = stemOf(term);
    strengths.set(stem, Math.max(strength, strengths.get(stem) ?? 0));
  }
  const pieces: Html[] = [];
  let shownTo = 0;
  forEachWord(text, (word, start, end) => {
    const strength = strengths.get(stemOf(word));
    if (strength === undefined || start < shownTo) return;
    pieces.push(
      html`${text.slice(shownTo, start)}<mark class="strength-${strength}">${text.slice(start, end)}</mark>`,
    );
    shownTo = end;
  });
  return html`${pieces}${text.slice(shownTo)}`;
}

function stemOf(word: string): string {
  return ASCII_WORD.test(word) ? porterStem(word) : word;
}
