import type { Part } from '../../features/parts.ts';
import { ByteReader } from '../files/bytes.ts';
import { PAGES } from '../files/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { readCollapsedWords } from '../gather/records/collapsed-record.ts';
import { CountsBuffer } from '../gather/records/counts-buffer.ts';

/**
 * The word counts of every page by part; where the profile says so, the title is a fragment of the anchor bag.
 * The same buffers come for each page.
 */
export function* partCounts(
  folder: WorkFiles,
  titleInAnchor: boolean,
): IterableIterator<Readonly<Record<Part, CountsBuffer>>> {
  const counts = { content: new CountsBuffer(), title: new CountsBuffer(), anchor: new CountsBuffer() };
  for (const record of PAGES.records(folder)) {
    readCollapsedWords(new ByteReader(record), counts);
    if (titleInAnchor) counts.anchor.addDistinct(counts.title);
    yield counts;
  }
}
