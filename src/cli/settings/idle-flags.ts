/**
 * Flags that would change nothing beside other settings: they are refused, so that nobody waits for a build that is
 * not the one asked for. What the environment says is meant for many calls, and may rest in one of them.
 */
import type { KnobName, LoadedConfig } from './config.ts';
import { COPY_KNOBS } from './copy-knobs.ts';

interface Rule {
  readonly idle: readonly KnobName[];
  /** The setting that leaves them nothing to do, and the values of it that do so. */
  readonly beside: KnobName;
  readonly at: readonly unknown[];
}

const RULES: readonly Rule[] = [
  {
    idle: (Object.keys(COPY_KNOBS) as (keyof typeof COPY_KNOBS)[]).filter((name) => name !== 'copies'),
    beside: 'copies',
    at: ['no'],
  },
  { idle: ['filterBytes', 'filterValues'], beside: 'profile', at: ['akin'] },
  { idle: ['targetRecall'], beside: 'profile', at: ['haveliwala2000'] },
  { idle: ['windowWords'], beside: 'bag', at: ['content'] },
];

/** One fault for each idle flag, with both settings as `nameOf` writes them. */
export function idleFlags(loaded: LoadedConfig, nameOf: (name: KnobName) => string): string[] {
  const { config, origins } = loaded;
  const idle = RULES.filter(({ beside, at }) => at.includes(config[beside])).flatMap(({ idle, beside }) =>
    idle
      .filter((name) => origins[name] === 'flag')
      .map((name) => `${nameOf(name)} has no effect with ${nameOf(beside)}; leave one of them out`),
  );
  return isBelowFloor(loaded)
    ? [
        ...idle,
        `${nameOf('clusterSimilarity')} has no effect with ${nameOf('floor')}: nothing below the floor is kept; ` +
          'give one at or above the floor',
      ]
    : idle;
}

/** Whether CENTER is to join pages that no list holds; with every pair at hand it can. */
function isBelowFloor({ config, origins }: LoadedConfig): boolean {
  const isGiven = origins.floor === 'flag' || origins.clusterSimilarity === 'flag';
  return isGiven && config.pairSimilarity === 0 && config.floor > config.clusterSimilarity;
}
