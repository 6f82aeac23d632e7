import { foundBlend } from '../../../relations/meaning.ts';
import { lendShare } from '../../../relations/topic.ts';
import type { IndexReader } from '../../read/reader.ts';

/** Whether clusters were made of the lists that are stored: lists by vectors, too, or over lent words, are found behind them. */
export function areOfStoredLists(reader: IndexReader): boolean {
  const { parameters } = reader.card();
  return foundBlend(parameters) === null && lendShare(parameters) === 0;
}
