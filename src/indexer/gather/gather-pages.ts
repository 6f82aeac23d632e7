import type { BuildListener, BuildOptions } from '../build-options.ts';
import { bucketName } from '../files/bucket-files.ts';
import type { StageRunner } from '../files/stage-runner.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import { collapse } from './collapse.ts';
import { type ExtractReport, extract } from './extract.ts';
import { mergeRuns } from './merge.ts';

export interface Gathered {
  readonly extracted: ExtractReport;
  readonly pageCount: number;
}

/**
 * The stages that a build and a sweep begin with: leaves the pages of all inputs, one a URL, in the order of their URLs,
 * and the forms of their words by bucket. `known` are the digests of texts that need not be sketched.
 */
export async function gatherPages(
  options: BuildOptions,
  folder: WorkFolder,
  stages: StageRunner,
  listener: BuildListener,
  bucketsWanted: number,
  known?: Parameters<typeof extract>[4],
): Promise<Gathered> {
  const extracted = await stages.run<ExtractReport>(
    'extract',
    { unit: 'bytes', total: null },
    () => extract(options, folder, bucketsWanted, listener, known),
    (report) => report.recordCount,
  );
  const { bucketCount } = extracted;
  const collapsed = await stages.run(
    'collapse',
    { unit: 'buckets', total: bucketCount },
    (progress) => collapse(folder, bucketCount, options, progress),
    (result) => result.urlCount,
  );
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    folder.remove(bucketName('records', bucket), bucketName('moved', bucket));
  }
  const pageCount = await stages.run(
    'merge',
    { unit: 'pages', total: collapsed.urlCount },
    (progress) => mergeRuns(folder, collapsed.runs, progress),
    (count) => count,
  );
  folder.remove(...collapsed.runs);
  return { extracted, pageCount };
}
