import { questionHash } from '../../http/question/question.ts';
import type { Generation } from '../../index/generation.ts';
import type { Reads } from '../../reads/reads.ts';
import type { RelatedAnswer } from '../../schemas/answers/list-answers.ts';
import { type Narrowing, RELATED } from '../../schemas/parameters/list-parameters.ts';
import { isWithin } from '../pages/locate.ts';
import { relatedAnswer } from './related.ts';

/** Pages whose lists are made in one turn: reads of servers go out together, and others wait no longer than this takes. */
const PAGES_AT_A_TIME = 64;

/**
 * The lists of all pages of an index, in the order of page ids, each as GET /related answers it: pages that are known by
 * links alone and pages that are gone have one too, URLs that lead to another page have none.
 *
 * Cost    that of one list a page; the generation stays open meanwhile.
 */
export async function* allLists(generation: Generation, narrowing: Narrowing): AsyncGenerator<RelatedAnswer> {
  const { ownPageCount } = generation.facts;
  generation.lease();
  try {
    for (let from = 0; from < ownPageCount; from += PAGES_AT_A_TIME) {
      const size = Math.min(PAGES_AT_A_TIME, ownPageCount - from);
      const { value } = await generation.answer((reads) =>
        Promise.all(Array.from({ length: size }, (_, i) => listOf(reads, from + i, narrowing))),
      );
      yield* value.filter((list) => list !== null);
    }
  } finally {
    generation.release();
  }
}

async function listOf(reads: Reads, pageId: number, narrowing: Narrowing): Promise<RelatedAnswer | null> {
  if ((await reads.successor(pageId)) !== pageId) return null;
  if (!(await isWithin(reads, pageId, narrowing.within))) return null;
  const { url } = await reads.page(pageId);
  // The cursor to what follows belongs to this question.
  const hash = questionHash('related', RELATED, { ...narrowing, url });
  return relatedAnswer({ reads, narrowing, offset: 0 }, pageId, hash);
}
