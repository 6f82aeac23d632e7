import { extname } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { IndexReader } from '../../store/read/reader.ts';

/** Which index is to be read: another one may have taken its place at the path. */
export interface FileOrder {
  readonly path: string;
  readonly generation: string;
}

/**
 * What a thread reads of an index file: the event loop is free meanwhile, and the memory that reading takes ends with the
 * thread, which runs the file `name` beside `from`.
 *
 * Errors  any, where the thread could not read it.
 */
export function readAside<Value>(order: FileOrder, name: string, from: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(`./${name}${extname(from)}`, from), { workerData: order });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)));
  });
}

/** The other side: says what `read` reads, and hands over what `moved` names of it. */
export async function answerAside<Value>(
  read: (reader: IndexReader) => Promise<Value>,
  moved: (value: Value) => readonly ArrayBuffer[] = () => [],
): Promise<void> {
  const { path, generation } = workerData as FileOrder;
  const reader = IndexReader.open(path);
  if (reader.generation !== generation) throw new Error(`${path} has been replaced`);
  const value = await read(reader);
  reader.close();
  parentPort!.postMessage(value, [...moved(value)]);
}
