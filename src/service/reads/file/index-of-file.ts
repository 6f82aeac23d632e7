import { FileReads } from './file-reads.ts';
import type { OpenFile } from './open-file.ts';
import type { OpenIndex } from './open-index.ts';

export function indexOfFile(file: OpenFile): OpenIndex {
  return {
    facts: file.facts,
    file,
    links: file.links,
    answer: async (make, work) => ({ value: await make(new FileReads(file, work)), lost: [] }),
    close: () => file.close(),
  };
}
