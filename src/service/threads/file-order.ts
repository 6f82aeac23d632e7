import { workerData } from 'node:worker_threads';
import { IndexReader } from '../../store/read/reader.ts';
import { answerJobs } from './jobs.ts';

/** Which index is to be read: another one may have taken its place at the path. */
export interface FileOrder {
  readonly path: string;
  readonly generation: string;
}

/** In a thread: says what `read` reads of the index file that it was started for; `moved` as for `answerJobs`. */
export function answerFromFile<Value>(
  read: (reader: IndexReader) => Promise<Value>,
  moved?: (value: Value) => readonly ArrayBuffer[],
): void {
  answerJobs(async () => {
    const { path, generation } = workerData as FileOrder;
    const reader = IndexReader.open(path);
    if (reader.generation !== generation) throw new Error(`${path} has been replaced`);
    const value = await read(reader);
    reader.close();
    return value;
  }, moved);
}
