/**
 * The links between the pages of a build, both ways, for the parts that are made of them: of each page a record of page
 * ids, ascending, each once. Links that credit no page and links of a page to itself are left out, and the links to a page
 * that is gone: it is related to none.
 *
 * Memory  24 bytes a URL; the links to a range of pages at a time, within `budgetBytes`, with a pass over all links for
 *         each range.
 */
import { followedLinks } from '../../store/blobs/page-spans.ts';
import { IN_LINKS, OUT_LINKS } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import { collapsedLinks } from '../gather/records/collapsed-pages.ts';
import { pageIds, targetsOf } from '../gather/records/page-ids.ts';

const NONE = new Uint32Array(0);
const ID_BYTES = 4;

/** Writes both files; rows are read by `linkRows`. */
export function writeLinkRows(folder: WorkFiles, pageCount: number, budgetBytes: number): void {
  const aliases = new Aliases(folder);
  const ids = pageIds(folder, aliases, pageCount);
  aliases.close();
  const inCounts = new Uint32Array(pageCount);
  const writer = OUT_LINKS.writer(folder);
  const gone: number[] = [];
  let id = 0;
  for (const { page, past } of collapsedLinks(folder)) {
    if (page === null && past.length > 0) gone.push(id);
    const targets = page === null ? NONE : targetsOf(followedLinks(page), ids, id);
    for (const target of targets) inCounts[target]!++;
    writer.append(bytesOf(targets));
    id++;
  }
  writer.close();
  for (const page of gone) inCounts[page] = 0;
  writeInLinks(folder, inCounts, budgetBytes);
}

/** `counts`: links to each page; of one with 0 there is no row, whatever links to it. */
function writeInLinks(folder: WorkFiles, counts: Uint32Array, budgetBytes: number): void {
  const writer = IN_LINKS.writer(folder);
  const most = budgetBytes / ID_BYTES;
  for (let from = 0, to = 0; from < counts.length; from = to) {
    let size = counts[to++]!;
    while (to < counts.length && size + counts[to]! <= most) size += counts[to++]!;
    const next = new Uint32Array(to - from);
    for (let i = 1; i < next.length; i++) next[i] = next[i - 1]! + counts[from + i - 1]!;
    const citers = new Uint32Array(size);
    let page = 0;
    for (const record of OUT_LINKS.records(folder)) {
      for (let at = 0; at < record.length; at += ID_BYTES) {
        const target = record.readUInt32LE(at);
        if (target >= from && target < to && counts[target]! > 0) citers[next[target - from]!++] = page;
      }
      page++;
    }
    let start = 0;
    for (const end of next) {
      writer.append(bytesOf(citers.subarray(start, end)));
      start = end;
    }
  }
  writer.close();
}

function bytesOf(ids: Uint32Array): Uint8Array {
  return new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength);
}
