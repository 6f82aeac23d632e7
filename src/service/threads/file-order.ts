import { IndexReader } from '../../store/read/reader.ts';
import { answerJobs } from './jobs.ts';

/** Which index is to be read: another one may have taken its place at the path. */
export interface FileOrder {
  readonly path: string;
  readonly generation: string;
}

/** In a thread: says what `read` reads of the index file that it is given; `moved` as for `answerJobs`. */
export function answerFromFile<Value>(
  read: (reader: IndexReader) => Promise<Value>,
  moved?: (value: Value) => readonly ArrayBuffer[],
): void {
  const open = async ({ path, generation }: FileOrder) => ({
    async answer() {
      const reader = IndexReader.open(path);
      if (reader.generation !== generation) throw new Error(`${path} has been replaced`);
      const value = await read(reader);
      reader.close();
      return value;
    },
  });
  answerJobs(open, moved);
}
