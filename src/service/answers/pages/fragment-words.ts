import { WORDS, type Words } from '../../../embed/languages.js';
import { primarySubtag } from '../../../text/primary-subtag.ts';
import type { Reads } from '../../reads/reads.ts';

/** In a language, as a page says it; in English where there are none. */
export function fragmentWords(lang: string | null): Words {
  return WORDS[primarySubtag(lang) ?? 'en'] ?? WORDS['en']!;
}

/** An answer with words in the language of the page that it is about. */
export type Worded<Answer> = Answer & { readonly words: Words };

export async function worded<Answer extends { readonly url: string }>(
  reads: Reads,
  answer: Answer | Promise<Answer>,
): Promise<Worded<Answer>> {
  const known = await answer;
  const pageId = await reads.idOf(known.url);
  const lang = pageId < 0 ? null : (await reads.page(pageId)).lang;
  return { ...known, words: fragmentWords(lang) };
}
