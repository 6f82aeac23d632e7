import { workerData } from 'piscina';
import { workFiles } from '../files/work-folder.ts';
import { Aliases } from './aliases.ts';
import { type CollapsedBucket, collapseBucket, redirectRecords } from './collapse-bucket.ts';
import { loadCoverage } from './covered-sites.ts';

export interface CollapseWork {
  readonly folderPath: string;
  readonly budgetBytes: number;
}

/** `redirect` first, for every bucket, where there are aliases; then `collapse`. */
export type CollapseTask = { readonly step: 'redirect' | 'collapse'; readonly bucket: number };

const work = workerData as CollapseWork;
const folder = workFiles(work.folderPath);
const aliases = new Aliases(folder);
const isCovered = loadCoverage(folder);

export default function collapseStep({ step, bucket }: CollapseTask): CollapsedBucket | null {
  if (step === 'collapse') return collapseBucket(folder, aliases, bucket, work.budgetBytes, isCovered);
  redirectRecords(folder, aliases, bucket);
  return null;
}
