import { isOfLinks, type Part } from '../../features/parts.ts';
import { ByteReader } from '../files/bytes.ts';
import { IN_LINKS, OUT_LINKS, PAGES } from '../files/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { readCollapsedWords } from '../gather/records/collapsed-record.ts';
import { CountsBuffer } from '../gather/records/counts-buffer.ts';

const LINK_ROWS = { out: OUT_LINKS, in: IN_LINKS };

/**
 * The counts of every page, for each of the parts; where the profile says so, the title is a fragment of the anchor bag.
 * The key of a word is its `key53`, that of a page which a link joins is `linkKey` of its id. The same buffers come for
 * each page.
 */
export function* partCounts(
  folder: WorkFiles,
  parts: readonly Part[],
  titleInAnchor: boolean,
): IterableIterator<readonly CountsBuffer[]> {
  const words = { content: new CountsBuffer(), title: new CountsBuffer(), anchor: new CountsBuffer() };
  const rows = parts.filter(isOfLinks).map((part) => ({
    part,
    records: LINK_ROWS[part].records(folder),
    counts: new CountsBuffer(),
  }));
  const counts = parts.map((part) =>
    isOfLinks(part) ? rows.find((row) => row.part === part)!.counts : words[part],
  );
  for (const record of PAGES.records(folder)) {
    readCollapsedWords(new ByteReader(record), words);
    if (titleInAnchor) words.anchor.addDistinct(words.title);
    for (const row of rows) readLinks(row.records.next().value!, row.counts);
    yield counts;
  }
}

/** The key of a page among the features of a part by links: tables of keys have no 0. */
export function linkKey(pageId: number): number {
  return pageId + 1;
}

function readLinks(record: Buffer, counts: CountsBuffer): void {
  counts.clear(record.length / 4);
  for (let at = 0; at < record.length; at += 4) counts.push(linkKey(record.readUInt32LE(at)), 1);
}
