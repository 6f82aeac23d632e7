import type { Change } from '../../evaluate/climb.ts';
import { partChanges } from '../../features/part-changes.ts';
import type { Part } from '../../features/parts.ts';
import { KERNELS, type KernelName } from '../../relations/kernels.ts';
import type { TuneSetting } from './tune-report.ts';

/** What may be tried. */
interface Possible {
  /** Those that some page has. */
  readonly parts: readonly Part[];
  /** Of the vectors; none where the index has none. */
  readonly shares: readonly number[];
  readonly lends: readonly number[];
}

const kernelNames = Object.keys(KERNELS) as KernelName[];

/** The single changes of a setting, each to one that an index can be built with: of vectors and what neighbors lend one alone, and under jaccard. */
export function changesFrom(setting: TuneSetting, { parts, shares, lends }: Possible): Change<TuneSetting>[] {
  const { meaningShare, lend } = setting;
  const isJaccard = setting.kernel === 'jaccard';
  return [
    ...partChanges(setting.parts, parts).map((change) => ({
      name: change.name,
      setting: { ...setting, parts: change.shares },
    })),
    ...kernelChanges(setting),
    ...(isJaccard ? shares : [])
      .filter((share) => share !== meaningShare)
      .map((share) => ({
        name: `meaning ${meaningShare} to ${share}`,
        setting: { ...setting, meaningShare: share, lend: 0 },
      })),
    ...(isJaccard ? lends : [])
      .filter((share) => share !== lend)
      .map((share) => ({
        name: `lend ${lend} to ${share}`,
        setting: { ...setting, lend: share, meaningShare: 0 },
      })),
  ];
}

/** Those of them to another kernel. */
export function kernelChanges(setting: TuneSetting): Change<TuneSetting>[] {
  const { kernel, meaningShare, lend } = setting;
  return (meaningShare === 0 && lend === 0 ? kernelNames : [])
    .filter((other) => other !== kernel)
    .map((other) => ({ name: `kernel ${kernel} to ${other}`, setting: { ...setting, kernel: other } }));
}
