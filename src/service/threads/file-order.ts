import { IndexReader } from '../../store/read/reader.ts';
import { answerJobs } from './jobs.ts';

/** Which index is to be read: another one may have taken its place at the path. */
export interface FileOrder {
  readonly path: string;
  readonly generation: string;
}

/** In a thread: what `read` reads of the file of an order. */
export async function readOrdered<Value>(
  { path, generation }: FileOrder,
  read: (reader: IndexReader) => Promise<Value>,
): Promise<Value> {
  const reader = IndexReader.open(path);
  if (reader.generation !== generation) throw new Error(`${path} has been replaced`);
  const value = await read(reader);
  reader.close();
  return value;
}

/** In a thread: says what `read` reads of the index file that it is given. */
export function answerFromFile<Value>(read: (reader: IndexReader) => Promise<Value>): void {
  answerJobs(async (order: FileOrder) => ({ answer: () => readOrdered(order, read) }));
}
