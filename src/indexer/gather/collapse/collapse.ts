import { key53 } from '../../../lib/keys/key-table.ts';
import { divideMemory, type Resources } from '../../files/budget.ts';
import { BucketFiles } from '../../files/records/bucket-files.ts';
import { ByteReader } from '../../files/records/bytes.ts';
import { movedOfBucket, recordsOfBucket, redirectedOfBucket } from '../../files/records/stage-files.ts';
import { asMessage, ThreadPool } from '../../files/threads/thread-pool.ts';
import { type BuildFiles, diskOf } from '../../files/work-folder.ts';
import { bucketOf } from '../extract/extract-task.ts';
import { Aliases } from '../records/answers/aliases.ts';
import type { CollapseWork } from './collapse-worker.ts';
import { type CollapsedBucket, Collapser, type CollapseStep } from './collapser.ts';

/** Below this the records are collapsed sooner than each of several threads has compiled how. */
const MIN_PARALLEL_BYTES = 3 << 26;

/**
 * Collapses the records of each bucket to one record a URL, sorted by URL: runs that `mergeRuns` joins.
 * Records of an alias first move to the bucket of the URL that speaks for it. Buckets are shared out among
 * threads, each with its part of the budget.
 *
 * Source  Haveliwala, Gionis, Indyk 2000, section 2.2 (bag fragments, divide and collapse).
 */
export async function collapse(
  folder: BuildFiles,
  bucketCount: number,
  resources: Resources,
  onBucket: (done: number) => void,
  minParallelBytes = MIN_PARALLEL_BYTES,
): Promise<{ urlCount: number; runs: string[]; linkUrlRuns: string[] }> {
  const aliases = new Aliases(folder);
  const buckets = Array.from({ length: bucketCount }, (_, bucket) => bucket);
  const run = openSteps(folder, buckets, resources, minParallelBytes);
  try {
    if (aliases.size > 0) {
      await Promise.all(buckets.map((bucket) => run.step({ step: 'redirect', bucket })));
      moveRedirected(folder, bucketCount);
    }
    let done = 0;
    const collapsed = await Promise.all(
      buckets.map(async (bucket) => {
        const result = await run.step({ step: 'collapse', bucket });
        onBucket(++done);
        return result!;
      }),
    );
    const runs = collapsed.flatMap((bucket) => bucket.runs);
    const linkUrlRuns = collapsed.map((bucket) => bucket.linkUrlRun);
    await diskOf(folder).syncAll([...runs, ...linkUrlRuns].map((run) => folder.file(run)));
    return { urlCount: collapsed.reduce((sum, { urlCount }) => sum + urlCount, 0), runs, linkUrlRuns };
  } finally {
    await run.close();
    aliases.close();
  }
}

interface Steps {
  step(step: CollapseStep): Promise<CollapsedBucket | null>;
  close(): Promise<void>;
}

/** On threads where that pays, else here. */
function openSteps(
  folder: BuildFiles,
  buckets: readonly number[],
  { memoryBytes, workerCount }: Resources,
  minParallelBytes: number,
): Steps {
  const budgetBytes = divideMemory(memoryBytes).collapse.buckets;
  const sizeBytes = buckets.reduce(
    (sum, bucket) => sum + diskOf(folder).sizeAt(recordsOfBucket(bucket).path(folder))!,
    0,
  );
  if (sizeBytes < minParallelBytes || workerCount === 1) {
    const collapser = new Collapser(folder, budgetBytes);
    return { step: async (step) => collapser.take(step), close: async () => collapser.close() };
  }
  const work: CollapseWork = { folderPath: folder.path, budgetBytes: budgetBytes / workerCount };
  const pool = new ThreadPool<CollapseStep, CollapsedBucket | null>(
    new URL('./collapse-worker', import.meta.url),
    workerCount,
    work,
    asMessage,
  );
  return { step: (step) => pool.run(step), close: () => pool.close() };
}

/** Shares the redirected records out to the buckets of the URLs they stand under now, in the order of old buckets. */
function moveRedirected(folder: BuildFiles, bucketCount: number): void {
  const moved = new BucketFiles(folder, movedOfBucket, bucketCount, 1 << 24);
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    const redirected = redirectedOfBucket(bucket);
    for (const record of redirected.records(folder)) {
      const from = new ByteReader(record);
      from.skip(1);
      moved.append(bucketOf(key53(from.ascii()), bucketCount), record);
    }
    folder.remove(redirected.name);
  }
  moved.end();
}
