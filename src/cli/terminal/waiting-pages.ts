import { existsSync } from 'node:fs';
import { AkinError } from '../../errors.ts';
import type { JournalReader } from '../../store/journal/journal-reader.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { formatNumberOf } from './table.ts';
import { type Terminal, tell } from './terminal.ts';

/** Says which pages wait beside some index files, where what was made of the files alone does not have them. */
export async function tellOfWaiting(terminal: Terminal, indexPaths: readonly string[]): Promise<void> {
  for (const text of await waitingTexts(indexPaths))
    tell(terminal, `akin: ${text} is not in this: POST /pages/fold takes it into the index`);
}

/** Of each file with such pages how many, or why it cannot be read; each text goes on with what becomes of them. */
export async function waitingTexts(indexPaths: readonly string[]): Promise<string[]> {
  const { journalPathOf } = await import('../../store/journal/page-journal.ts');
  const texts: string[] = [];
  for (const path of indexPaths) {
    const waiting = journalPathOf(path);
    if (!existsSync(waiting)) continue;
    const count = await waitingCount(path, waiting);
    if (count === 0) continue;
    const what = typeof count === 'string' ? count : formatNumberOf(count, 'page');
    texts.push(`what waits in ${waiting} (${what})`);
  }
  return texts;
}

/** Of those that the index does not have; why none can be read. */
async function waitingCount(indexPath: string, waitingPath: string): Promise<number | string> {
  const journals = await import('../../store/journal/journal-reader.ts');
  const readers = await import('../../store/read/reader.ts');
  const { foldedIn } = await import('../../service/live/live-pages.ts');
  let journal: JournalReader | null = null;
  let reader: IndexReader | null = null;
  try {
    journal = journals.JournalReader.read(waitingPath);
    if (journal === null) return 0;
    reader = readers.IndexReader.open(indexPath);
    return journal.countBehind(Math.max(foldedIn(reader.card().sweeps, journal), journal.forgotten));
  } catch (error) {
    if (error instanceof AkinError) return error.message;
    throw error;
  } finally {
    journal?.close();
    reader?.close();
  }
}
