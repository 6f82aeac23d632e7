import { serveThread } from '../../files/thread.ts';
import { workFiles } from '../../files/work-folder.ts';
import { Aliases } from '../records/aliases.ts';
import { loadCoverage } from '../records/covered-sites.ts';
import { type CollapsedBucket, collapseBucket, redirectRecords } from './collapse-bucket.ts';

export interface CollapseWork {
  readonly folderPath: string;
  readonly budgetBytes: number;
}

/** `redirect` first, for every bucket, where there are aliases; then `collapse`. */
export type CollapseTask = { readonly step: 'redirect' | 'collapse'; readonly bucket: number };

serveThread(({ folderPath, budgetBytes }: CollapseWork) => {
  const folder = workFiles(folderPath);
  const aliases = new Aliases(folder);
  const isCovered = loadCoverage(folder);
  return ({ step, bucket }: CollapseTask): CollapsedBucket | null => {
    if (step === 'collapse') return collapseBucket(folder, aliases, bucket, budgetBytes, isCovered);
    redirectRecords(folder, aliases, bucket);
    return null;
  };
});
