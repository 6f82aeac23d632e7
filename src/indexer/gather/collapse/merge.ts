import type { Disk } from '../../files/disk.ts';
import { ByteReader } from '../../files/records/bytes.ts';
import { RecordWriter, readRecords } from '../../files/records/record-file.ts';
import { type BuildFiles, diskOf } from '../../files/work-folder.ts';

/** Runs read at once: each holds a file and a buffer. */
const MAX_OPEN_RUNS = 512;

/**
 * Merges the sorted runs of all buckets into one file; the position of a page in it is its id from here on. Records begin
 * with their URLs. URLs are ASCII, so string order is byte order. More runs than can be open at once are merged in groups
 * first.
 */
export function mergeRuns(
  folder: BuildFiles,
  names: readonly string[],
  into: string,
  onRecords: (done: number) => void = () => {},
  maxOpenRuns = MAX_OPEN_RUNS,
): number {
  let runs = names;
  for (let round = 0; runs.length > maxOpenRuns; round++) {
    const merged: string[] = [];
    for (let from = 0; from < runs.length; from += maxOpenRuns) {
      const group = `${into}-merged-${round}-${merged.length}`;
      mergeInto(folder, runs.slice(from, from + maxOpenRuns), group, () => {});
      merged.push(group);
    }
    if (round > 0) folder.remove(...runs);
    runs = merged;
  }
  const recordCount = mergeInto(folder, runs, into, onRecords);
  if (runs !== names) folder.remove(...runs);
  return recordCount;
}

function mergeInto(
  folder: BuildFiles,
  names: readonly string[],
  into: string,
  onRecords: (done: number) => void,
): number {
  const disk = diskOf(folder);
  const merged = new RecordWriter(folder.file(into), 1 << 20, disk);
  const runs = names.map((name) => new Run(folder.file(name), disk));
  const heap = new RunHeap(runs.filter((run) => run.advance()));
  for (let run = heap.first(); run !== undefined; run = heap.first()) {
    merged.append(run.record);
    heap.afterAdvance(run.advance());
    if (merged.recordCount % 4096 === 0) onRecords(merged.recordCount);
  }
  merged.close();
  return merged.recordCount;
}

class Run {
  url = '';
  record: Buffer = Buffer.alloc(0);
  readonly #records: Iterator<Buffer>;

  constructor(path: string, disk: Disk) {
    this.#records = readRecords(path, 1 << 15, disk);
  }

  advance(): boolean {
    const next = this.#records.next();
    if (next.done) return false;
    this.record = next.value;
    this.url = new ByteReader(this.record).text();
    return true;
  }
}

/** Binary heap of runs by the URL that each stands at. */
class RunHeap {
  readonly #runs: Run[];

  constructor(runs: Run[]) {
    this.#runs = runs.sort((a, b) => (a.url < b.url ? -1 : 1));
  }

  first(): Run | undefined {
    return this.#runs[0];
  }

  /** Restores the order after the first run has moved on, or has come to its end. */
  afterAdvance(alive: boolean): void {
    const runs = this.#runs;
    if (!alive) {
      const last = runs.pop()!;
      if (runs.length === 0) return;
      runs[0] = last;
    }
    let at = 0;
    for (;;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < runs.length && runs[child]!.url < runs[least]!.url) least = child;
      }
      if (least === at) return;
      [runs[at], runs[least]] = [runs[least]!, runs[at]!];
      at = least;
    }
  }
}
