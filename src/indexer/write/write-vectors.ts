import { unpackVectors } from '../../features/vectors.ts';
import { type FoundVectors, MEANING } from '../../relations/meaning.ts';
import { VECTOR_BLOCK_PAGES } from '../../store/read/vector-reader.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import { vectorNeighborsOf, vectorPagesOf } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { collapsedPages } from '../gather/records/collapsed-pages.ts';
import { meaningRow } from './relation-rows.ts';

/** The relations by vectors: the vectors, and the lists of their pages. */
export function writeMeaning(writer: IndexWriter, folder: WorkFiles, found: readonly FoundVectors[]): void {
  if (found.length === 0) return;
  writer.parameter('vectors', found);
  for (const i of found.keys()) writer.relation(meaningRow(found, i));
  writeVectors(writer, folder, found);
  for (const i of found.keys()) {
    const pages = vectorPagesOf(i).readOwn(folder);
    const { counts, ids, shared, total } = vectorNeighborsOf(i).readOwn(folder);
    const k = ids.length / counts.length;
    for (const [row, page] of pages.entries()) {
      const [from, to] = [row * k, row * k + counts[row]!];
      if (from === to) continue;
      writer.neighbors(MEANING.id + i, page, {
        ids: ids.subarray(from, to).map((other) => pages[other]!),
        shared: shared.subarray(from, to),
        total: total.subarray(from, to),
      });
    }
  }
}

/** The vectors of the pages of a folder, as far as they are of these names and lengths. */
export function writeVectors(writer: IndexWriter, folder: WorkFiles, found: readonly FoundVectors[]): void {
  for (const [i, { name, dimensions }] of found.entries()) {
    let [blockId, pages, vectors] = [0, [] as number[], [] as Int8Array[]];
    const end = () => {
      if (pages.length === 0) return;
      const all = new Int8Array(pages.length * dimensions);
      for (const [at, vector] of vectors.entries()) all.set(vector, at * dimensions);
      writer.vectorBlock(MEANING.id + i, {
        blockId,
        pages: Uint32Array.from(pages),
        vectors: all,
        dimensions,
      });
      [pages, vectors] = [[], []];
    };
    let id = 0;
    for (const { page } of collapsedPages(folder)) {
      const vector = unpackVectors(page?.vectors ?? '')[name];
      const block = Math.floor(id / VECTOR_BLOCK_PAGES);
      if (block !== blockId) end();
      blockId = block;
      if (vector?.length === dimensions) {
        pages.push(id);
        vectors.push(vector);
      }
      id++;
    }
    end();
  }
}
