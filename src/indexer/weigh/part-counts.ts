import type { Part } from '../../features/bag.ts';
import { ByteReader } from '../files/bytes.ts';
import { readRecords } from '../files/record-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { readCollapsedWords } from '../gather/collapsed-record.ts';
import { CountsBuffer } from '../gather/counts-buffer.ts';
import { PAGES_FILE } from '../gather/merge.ts';

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
