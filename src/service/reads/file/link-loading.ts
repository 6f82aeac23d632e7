/** Reads the links of an index into memory, at the first question that asks for them. */
import { extname } from 'node:path';
import { type LinkGraph, LinkGraphBuilder } from '../../../join/links/link-graph.ts';
import type { IndexReader } from '../../../store/read/reader.ts';
import { breather } from '../../snapshot/snapshot-parts.ts';
import type { FileOrder } from '../../threads/file-order.ts';
import { runOnce } from '../../threads/thread.ts';
import type { AllLinks } from '../read-table.ts';

const WORKER = new URL(`./links-worker${extname(import.meta.url)}`, import.meta.url);
const SLICE_MS = 4;
/** A smaller index is read sooner than a thread is there. */
const LEAST_PAGES_FOR_THREAD = 1 << 14;

/** A large index is read on a thread, a small one slice by slice; what a thread could not read is read here. */
export function loadLinks(
  reader: IndexReader,
  leastPagesForThread = LEAST_PAGES_FOR_THREAD,
): Promise<LinkGraph> {
  const inPlace = () => readLinks(reader, SLICE_MS);
  if (reader.pageCount < leastPagesForThread) return inPlace();
  const order: FileOrder = { path: reader.path, generation: reader.generation };
  return runOnce<LinkGraph>(WORKER, order).catch(inPlace);
}

export async function readLinks(
  reader: Pick<IndexReader, 'pageCount' | 'allLinks' | 'gonePages'>,
  sliceMs: number,
): Promise<LinkGraph> {
  const builder = new LinkGraphBuilder(reader.pageCount);
  const breathe = breather(sliceMs);
  for (const { pageId, targets } of reader.allLinks()) {
    builder.add(pageId, targets);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return builder.graph(reader.gonePages());
}

/** All links as they are passed on, and which pages are gone. */
export function packedLinks(
  rows: readonly { pageId: number; targets: Uint32Array }[],
  gone: Uint32Array,
): AllLinks {
  const ends = new Uint32Array(rows.length);
  let end = 0;
  for (const [row, { targets }] of rows.entries()) ends[row] = end += targets.length;
  const targets = new Uint32Array(end);
  for (const [row, links] of rows.entries()) targets.set(links.targets, row === 0 ? 0 : ends[row - 1]!);
  return { pages: Uint32Array.from(rows, ({ pageId }) => pageId), ends, targets, gone };
}
