import { realpathSync } from 'node:fs';

/** The file that a path leads to over links, so that what takes its place leaves these; the path itself where there is none. */
export function linkedFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
