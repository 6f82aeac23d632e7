import {
  LINK_URLS,
  linkUrlsOfBucket,
  movedOfBucket,
  PAGES,
  recordsOfBucket,
} from '../files/records/stage-files.ts';
import type { Stages } from '../files/stage-runner.ts';
import type { InputOptions } from '../options/build-options.ts';
import { collapse } from './collapse/collapse.ts';
import { mergeRuns } from './collapse/merge.ts';
import { type ExtractOptions, extract } from './extract/extract.ts';
import type { ExtractReport } from './extract/extract-report.ts';

export interface Gathered {
  readonly extracted: ExtractReport;
  readonly pageCount: number;
}

/**
 * The stages that a build and a sweep begin with: leaves the pages of all inputs, one a URL, in the order of their URLs,
 * the URLs that links lead to, in order, and the forms of their words by bucket.
 */
export async function gatherPages(
  input: InputOptions,
  options: ExtractOptions,
  stages: Stages,
  bucketsWanted: number,
): Promise<Gathered> {
  const { folder, resources } = stages;
  const extracted = await stages.run<ExtractReport>(
    'extract',
    { unit: 'bytes', total: null },
    () => extract(input, options, stages, bucketsWanted),
    (report) => report.recordCount,
  );
  const { bucketCount } = extracted;
  const collapsed = await stages.run(
    'collapse',
    { unit: 'buckets', total: bucketCount },
    (progress) => collapse(folder, bucketCount, resources, progress),
    (result) => result.urlCount,
  );
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const file of [recordsOfBucket, movedOfBucket, linkUrlsOfBucket]) folder.remove(file(bucket).name);
  }
  const pageCount = await stages.run(
    'merge',
    { unit: 'pages', total: collapsed.urlCount },
    (progress) => {
      mergeRuns(folder, collapsed.linkUrlRuns, LINK_URLS.name);
      return mergeRuns(folder, collapsed.runs, PAGES.name, progress);
    },
    (count) => count,
  );
  folder.remove(...collapsed.runs, ...collapsed.linkUrlRuns);
  return { extracted, pageCount };
}
