import type { CopyStore } from '../../join/copies/copy-relation.ts';
import type { CopyPairs } from '../../join/copies/pair-checks.ts';
import type { NumberLog } from '../../join/copies/space/met-lists.ts';
import type { ArrayWriter } from '../files/records/array-file.ts';
import { COPY_LISTS, COPY_PAIRS } from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';

/** What a relation of copies leaves in the work folder as it is found. */
export class CopyFiles implements CopyStore {
  readonly lists: NumberLog;
  readonly pairs: CopyStore['pairs'];
  #listWriter: ArrayWriter<Uint32Array> | null = null;
  #pairWriters: ReturnType<typeof COPY_PAIRS.writers> | null;

  constructor(folder: WorkFiles) {
    this.#pairWriters = COPY_PAIRS.writers(folder);
    this.lists = {
      append: (numbers) => {
        this.#listWriter ??= COPY_LISTS.writer(folder);
        this.#listWriter.append(numbers);
      },
      blocks: () => {
        this.#closeLists();
        return COPY_LISTS.blocks(folder);
      },
    };
    this.pairs = {
      append: ({ a, b, shared, ofA, ofB, template }: CopyPairs) => {
        const writers = this.#pairWriters!;
        writers.a.append(a);
        writers.b.append(b);
        writers.shared.append(shared);
        writers.ofA.append(ofA);
        writers.ofB.append(ofB);
        writers.template.append(template);
      },
      blocks: () => {
        this.close();
        return COPY_PAIRS.blocks(folder);
      },
    };
  }

  #closeLists(): void {
    this.#listWriter?.close();
    this.#listWriter = null;
  }

  close(): void {
    this.#closeLists();
    closeAll(Object.values(this.#pairWriters ?? {}));
    this.#pairWriters = null;
  }
}
