import type { Part } from '../features/bag.ts';
import { ByteReader } from './bytes.ts';
import { readCollapsedWords } from './collapsed-record.ts';
import { CountsBuffer } from './counts-buffer.ts';
import { PAGES_FILE } from './merge.ts';
import { readRecords } from './record-file.ts';
import type { WorkFiles } from './work-folder.ts';

/**
 * The word counts of every page by part; where the profile says so, the title is a fragment of the anchor bag.
 * The same buffers come for each page.
 */
export function* partCounts(
  folder: WorkFiles,
  titleInAnchor: boolean,
): IterableIterator<Readonly<Record<Part, CountsBuffer>>> {
  const counts = { content: new CountsBuffer(), title: new CountsBuffer(), anchor: new CountsBuffer() };
  for (const record of readRecords(folder.file(PAGES_FILE))) {
    readCollapsedWords(new ByteReader(record), counts);
    if (titleInAnchor) counts.anchor.addDistinct(counts.title);
    yield counts;
  }
}
