import { ConfigError } from '../../errors.ts';
import type { ShapingOptions } from './build-options.ts';
import { copyConflict } from './copy-parameters.ts';

/** Errors  ConfigError AKIN_ERR_CONFIG for options that do not go together. */
export function requirePossible(options: ShapingOptions): void {
  const { pairSimilarity: least, clusterSimilarity } = options;
  if (least !== null && !(least >= 0.1 && least <= clusterSimilarity)) {
    throw new ConfigError(
      'AKIN_ERR_CONFIG',
      `--pairs is ${least}; it takes a number from 0.1 to cluster-at (${clusterSimilarity}), or 0`,
    );
  }
  if (options.kernel !== 'jaccard' && (options.meaningShare > 0 || options.lend > 0)) {
    throw new ConfigError(
      'AKIN_ERR_CONFIG',
      `--kernel ${options.kernel} goes with neither --meaning-share nor --lend: these take part in lists of the kernel jaccard`,
      { hint: 'leave one of them out' },
    );
  }
  if (options.lend > 0 && options.meaningShare > 0) {
    throw new ConfigError('AKIN_ERR_CONFIG', '--lend and --meaning-share are two ways to the same lists', {
      hint: 'leave one of them out; akin tune says which is better',
    });
  }
  const conflict = options.copies ? copyConflict(options) : null;
  if (conflict !== null) {
    throw new ConfigError('AKIN_ERR_CONFIG', conflict, {
      hint: 'change --copy-at, --copy-clusterings or --copy-join',
    });
  }
}
