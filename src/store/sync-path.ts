import { close, closeSync, fsync, fsyncSync, openSync } from 'node:fs';

/** Brings a file, or the names in a folder, to the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Begins to bring to the disk what a file has so far, while this thread goes on. */
export function beginSync(path: string): Promise<void> {
  const file = openSync(path, 'r');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  fsync(file, (error) => {
    close(file);
    if (error) reject(error);
    else resolve();
  });
  // Awaited later; a failure meanwhile must not count as unhandled.
  promise.catch(() => {});
  return promise;
}
