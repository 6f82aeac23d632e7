import { unpackFeatures } from '../../features/own-features.ts';
import { isGroup, isOfLinks, type Part } from '../../features/parts.ts';
import { key53 } from '../../lib/keys/key-table.ts';
import { ByteReader } from '../files/records/bytes.ts';
import { IN_LINKS, OUT_LINKS, PAGES } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { CollapsedWords, readCollapsedWords } from '../gather/records/collapsed-record.ts';
import { CountsBuffer } from '../gather/records/counts-buffer.ts';

/** Pages whose features are counted by part. */
export interface CountedPages {
  readonly folder: WorkFiles;
  readonly parts: readonly Part[];
  readonly titleInAnchor: boolean;
}

/**
 * The counts of every page, for each of the parts; where the profile says so, the title is a fragment of the anchor bag.
 * The key of a word, or of the name of an own feature, is its `key53`, that of a page which a link joins is `linkKey` of
 * its id. The same buffers come for each page.
 */
export function* partCounts(pages: CountedPages): IterableIterator<readonly CountsBuffer[]> {
  const { folder, parts, titleInAnchor } = pages;
  const words = new CollapsedWords();
  const counts = parts.map((part) => words[part as keyof CollapsedWords] ?? new CountsBuffer());
  const rows = parts.flatMap((part, i) => {
    if (!isOfLinks(part)) return [];
    const file = part === 'out' ? OUT_LINKS : IN_LINKS;
    return [{ records: file.records(folder), buffer: counts[i]! }];
  });
  const groups = parts.flatMap((part, i) => (isGroup(part) ? [{ part, buffer: counts[i]! }] : []));
  try {
    for (const record of PAGES.records(folder)) {
      const own = readCollapsedWords(new ByteReader(record), words);
      if (titleInAnchor) words.anchor.addDistinct(words.title);
      for (const { records, buffer } of rows) readLinks(records.next().value!, buffer);
      if (groups.length > 0) {
        const features = unpackFeatures(own);
        for (const { part, buffer } of groups) takeGroup(features[part] ?? {}, buffer);
      }
      yield counts;
    }
  } finally {
    for (const { records } of rows) records.return?.();
  }
}

/** The key of a page among the features of a part by links: tables of keys have no 0. */
export function linkKey(pageId: number): number {
  return pageId + 1;
}

/** The words of every page. The same buffers come for each. */
export function* collapsedWords(folder: WorkFiles): IterableIterator<CollapsedWords> {
  const words = new CollapsedWords();
  for (const record of PAGES.records(folder)) {
    readCollapsedWords(new ByteReader(record), words);
    yield words;
  }
}

/** The features of their owners' of each page that has any, as they are packed. */
export function* ownFeatures(folder: WorkFiles): IterableIterator<string> {
  const words = new CollapsedWords();
  for (const record of PAGES.records(folder)) {
    const own = readCollapsedWords(new ByteReader(record), words);
    if (own !== '') yield own;
  }
}

/** Pages that have features of each group. */
export function countGroups(folder: WorkFiles): Record<string, number> {
  const counts = new Map<string, number>();
  for (const own of ownFeatures(folder)) {
    for (const group of Object.keys(unpackFeatures(own))) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readLinks(record: Buffer, counts: CountsBuffer): void {
  counts.clear(record.length / 4);
  for (let at = 0; at < record.length; at += 4) counts.push(linkKey(record.readUInt32LE(at)), 1);
}

/** The features of one group of a page: their keys and weights. */
export function takeGroup(group: Readonly<Record<string, number>>, counts: CountsBuffer): void {
  const features = Object.entries(group);
  counts.clear(features.length);
  for (const [name, weight] of features) counts.push(key53(name), weight);
}
