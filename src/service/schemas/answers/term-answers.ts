import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { exact, listOf, share, text } from '../fields.ts';

const part = text(
  'Of what it is: content (the text), title, heading, bigram (two neighboring words of the text), anchor (words around links to the page), out (pages that it links to), in (pages that link to it), or a group of features of your own.',
);

export const TermSchema = exact('Term', {
  term: text('A word; of the part bigram two; of the parts out and in the title of a page.'),
  part,
  weight: share('Share of the weight of the whole bag.'),
  url: Type.Optional(Type.String({ description: 'Of the parts out and in: the page.' })),
});

export const SharedTermSchema = exact('SharedTerm', {
  term: Type.String(),
  part,
  share: share('Share of the overlap of the two bags.'),
});

export const LentTermSchema = exact('LentTerm', {
  term: Type.String(),
  part,
  urls: listOf(Type.String(), 'The pages that lend it, the nearest first, at most three.'),
});

export type LentTermAnswer = Static<typeof LentTermSchema>;
export type TermAnswer = Static<typeof TermSchema>;
export type SharedTermAnswer = Static<typeof SharedTermSchema>;
