import { openSource } from '../../sources/open-source.ts';
import { captureLine } from './capture-lines.ts';

const GONE = [404, 410];

/**
 * What the archives of a sweep say of pages, as records of JSON, one a line: what is a page, and what is none any more. `leftOut` is
 * called with the URL of what they say besides, such as where a page has gone.
 */
export async function* sweepLines(
  paths: readonly string[],
  maxPageBytes: number,
  leftOut: (url: string) => void,
): AsyncGenerator<string> {
  for (const path of paths) {
    for await (const item of (
      await openSource(path, { maxPageBytes, baseUrl: null, format: null })
    ).items()) {
      const { url } = item;
      if (url === null) continue;
      if (item.kind === 'fault') {
        if (GONE.includes(item.status ?? 0)) yield goneLine(url, item.fetchedAtMs ?? null);
        continue;
      }
      const line = captureLine(item);
      if (line !== null) yield line;
      else {
        leftOut(url);
        yield goneLine(url, item.fetchedAtMs);
      }
    }
  }
}

function goneLine(url: string, fetchedAtMs: number | null): string {
  const date = fetchedAtMs === null ? {} : { fetched_at: new Date(fetchedAtMs).toISOString() };
  return JSON.stringify({ url, status: 410, ...date });
}
