import { ByteReader, ByteWriter } from '../files/bytes.ts';
import { RecordWriter, readRecords } from '../files/record-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';

const ABSENT_FILE = 'absent';
/** Times of a URL that asks not to be indexed, and of one that is gone, it is not known since when. */
const HIDDEN = Number.NaN;
const ONCE = Number.NEGATIVE_INFINITY;

/** URLs that the input says have no page: gone for good, or asking not to be indexed. */
export interface AbsentUrls {
  /** With the time of the answer, null where the source does not know it. */
  readonly gone: Iterable<readonly [url: string, fetchedAtMs: number | null]>;
  readonly hidden: Iterable<string>;
}

export function writeAbsent(folder: WorkFiles, { gone, hidden }: AbsentUrls): void {
  const absent = new RecordWriter(folder.file(ABSENT_FILE));
  const out = new ByteWriter();
  const append = (url: string, atMs: number) => {
    out.clear();
    out.f64(atMs);
    out.text(url);
    absent.append(out.view());
  };
  for (const [url, fetchedAtMs] of gone) append(url, fetchedAtMs ?? ONCE);
  for (const url of hidden) append(url, HIDDEN);
  absent.close();
}

export function readAbsent(folder: WorkFiles) {
  const gone: [url: string, fetchedAtMs: number | null][] = [];
  const hidden: string[] = [];
  for (const record of readRecords(folder.file(ABSENT_FILE))) {
    const from = new ByteReader(record);
    const atMs = from.f64();
    const url = from.ascii();
    if (Number.isNaN(atMs)) hidden.push(url);
    else gone.push([url, atMs === ONCE ? null : atMs]);
  }
  return { gone, hidden } satisfies AbsentUrls;
}
