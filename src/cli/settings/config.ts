/**
 * Every setting, declared once in build-knobs.ts, copy-knobs.ts, crawl-knobs.ts or serve-knobs.ts. A flag beats the
 * environment, the environment beats the default. One error names all faults. `akin config` prints each value and where
 * it came from.
 */
import { ConfigError } from '../../errors.ts';
import { countedParts, parseParts } from '../../features/parts.ts';
import { BUILD_KNOBS } from './build-knobs.ts';
import { COPY_KNOBS } from './copy-knobs.ts';
import { CRAWL_KNOBS, UP_KNOBS } from './crawl-knobs.ts';
import { defaultOf, formatBytes, type Knob } from './knob.ts';
import { SERVE_KNOBS } from './serve-knobs.ts';

export const INDEX_KNOBS = { ...BUILD_KNOBS, ...COPY_KNOBS } as const;

export const KNOBS = { ...INDEX_KNOBS, ...CRAWL_KNOBS, ...UP_KNOBS, ...SERVE_KNOBS } as const;

export type KnobName = keyof typeof KNOBS;
type ValueOf<K> = K extends Knob<infer T> ? T : never;
export type Config = { readonly [Name in KnobName]: ValueOf<(typeof KNOBS)[Name]> };
type Origin = 'flag' | 'environment' | 'index' | 'default';

interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<KnobName, Origin>>;
}

/** Every knob name, in the order of declaration. */
export const KNOB_NAMES = Object.keys(KNOBS) as KnobName[];

/**
 * The value of every setting, from flags, environment, and the index that is changed.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG that names every fault, one a line.
 */
export function loadConfig(
  flags: Readonly<Partial<Record<KnobName, string>>>,
  env: Readonly<Record<string, string | undefined>>,
  stored: Partial<Config> = {},
): LoadedConfig {
  const faults: string[] = [];
  const given: Partial<Record<KnobName, unknown>> = {};
  const origins: Partial<Record<KnobName, Origin>> = {};
  for (const name of KNOB_NAMES) {
    const knob: Knob<unknown> = KNOBS[name];
    const fromEnv = env[knob.env] === '' ? undefined : env[knob.env];
    const written = flags[name] ?? fromEnv;
    origins[name] = flags[name] !== undefined ? 'flag' : fromEnv !== undefined ? 'environment' : 'default';
    if (written === undefined && stored[name] !== undefined) origins[name] = 'index';
    if (written === undefined) continue;
    given[name] = knob.parse(written);
    if (given[name] === undefined) {
      const door = origins[name] === 'flag' ? knob.flag : knob.env;
      faults.push(`${door} is "${written}"; allowed: ${knob.allowed}${knob.unit && ` (${knob.unit})`}`);
    }
  }
  refuse(faults);
  const profile = (given.profile ?? stored.profile ?? KNOBS.profile.default) as Config['profile'];
  const isOtherProfile = stored.profile !== undefined && stored.profile !== profile;
  const storedOf = (name: KnobName) =>
    isOtherProfile && typeof KNOBS[name].default === 'object' ? undefined : stored[name];
  const config = Object.fromEntries(
    KNOB_NAMES.map((name) => [
      name,
      given[name] ?? storedOf(name) ?? defaultOf<unknown>(KNOBS[name], profile),
    ]),
  ) as unknown as Config;
  const loaded = { config: Object.freeze(config), origins: origins as Record<KnobName, Origin> };
  refuse(idleFlags(loaded, (name) => asWritten(name, loaded)));
  return loaded;
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new ConfigError('AKIN_ERR_CONFIG', faults.join('\n'), {
    hint: 'akin config lists every setting, its value and where the value came from',
  });
}

/** `--memory 512M`, `--no-copies`, `AKIN_COPIES=no`. */
function asWritten(name: KnobName, { config, origins }: LoadedConfig): string {
  const { flag, env, unit, placeholder } = KNOBS[name];
  const value = unit === 'bytes' ? formatBytes(config[name] as number) : String(config[name]);
  if (origins[name] === 'environment') return `${env}=${value}`;
  return placeholder === '' ? flag : `${flag} ${value}`;
}

/**
 * Flags that other settings leave without effect are refused, so that nobody waits for a build that differs from the one
 * requested. An environment variable is meant for many calls and may have no effect in some of them.
 */
interface Rule {
  readonly idle: readonly KnobName[];
  /** The setting that leaves them without effect, and whether a value of it does. */
  readonly beside: KnobName;
  readonly at: (value: unknown) => boolean;
}

const RULES: readonly Rule[] = [
  {
    idle: (Object.keys(COPY_KNOBS) as (keyof typeof COPY_KNOBS)[]).filter((name) => name !== 'copies'),
    beside: 'copies',
    at: (copies) => copies === 'no',
  },
  { idle: ['filterBytes', 'filterValues'], beside: 'profile', at: (profile) => profile === 'akin' },
  { idle: ['targetRecall', 'classesFile'], beside: 'profile', at: (profile) => profile === 'haveliwala2000' },
  {
    idle: ['windowWords'],
    beside: 'parts',
    at: (parts) => !countedParts(parseParts(parts as string)!).links,
  },
  { idle: ['feedbackPerMinute', 'maxFeedback'], beside: 'feedback', at: (feedback) => feedback === 'no' },
];

/** One fault for each flag without effect, with both settings as `nameOf` writes them. */
function idleFlags(loaded: LoadedConfig, nameOf: (name: KnobName) => string): string[] {
  const { config, origins } = loaded;
  const idle = RULES.filter(({ beside, at }) => at(config[beside])).flatMap(({ idle, beside }) =>
    idle
      .filter((name) => origins[name] === 'flag')
      .map((name) =>
        isOff(KNOBS[beside], config[beside])
          ? `${nameOf(name)} has no effect without ${KNOBS[beside].flag}; add that, or leave it out`
          : `${nameOf(name)} has no effect with ${nameOf(beside)}; leave one of them out`,
      ),
  );
  return isBelowFloor(loaded)
    ? [
        ...idle,
        `${nameOf('clusterSimilarity')} has no effect with ${nameOf('floor')}: nothing below the floor is kept; ` +
          'give one at or above the floor',
      ]
    : idle;
}

/** Whether it is a switch that turns something on, and did not. */
function isOff({ flag, placeholder }: Knob<unknown>, value: unknown): boolean {
  return placeholder === '' && !flag.startsWith('--no-') && value === 'no';
}

/** Whether CENTER needs pairs below the floor, which no list holds; with --pairs it has them. */
function isBelowFloor({ config, origins }: LoadedConfig): boolean {
  const isGiven = origins.floor === 'flag' || origins.clusterSimilarity === 'flag';
  return isGiven && config.pairSimilarity === 0 && config.floor > config.clusterSimilarity;
}
