/**
 * Every setting, declared once: those of a build in src/indexer/options, of a crawl in crawl-knobs.ts, of the server in
 * serve-knobs.ts. A flag beats the environment, the environment beats the default. One error names all faults. `akin
 * config` prints each value and where it came from.
 */
import { ConfigError } from '../../errors.ts';
import { BUILD_ROWS } from '../../indexer/options/build-options.ts';
import {
  defaultOf,
  formatValue,
  type Knob,
  offBeside,
  PerProfile,
  type ValueOf,
} from '../../indexer/options/knob.ts';
import { CRAWL_KNOBS, UP_KNOBS } from './crawl-knobs.ts';
import { SERVE_KNOBS } from './serve-knobs.ts';

export const KNOBS = { ...BUILD_ROWS, ...CRAWL_KNOBS, ...UP_KNOBS, ...SERVE_KNOBS } as const;

export type KnobName = keyof typeof KNOBS;
export type Config = { readonly [Name in KnobName]: ValueOf<(typeof KNOBS)[Name]> };
type Origin = 'flag' | 'environment' | 'index' | 'default';
export type Values = Readonly<Partial<Record<KnobName, unknown>>>;

interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<KnobName, Origin>>;
}

/** Names of the settings of some table. */
export const namesOf = (table: Readonly<Record<string, unknown>>) => Object.keys(table) as KnobName[];

/** Every knob name, in the order of declaration. */
export const KNOB_NAMES = namesOf(KNOBS);
const PROFILES = ['profile', 'copyProfile'] as const;

/** A setting whatever the type of its value is. */
export const knobOf = (name: KnobName): Knob<unknown> => KNOBS[name];

/**
 * The value of every setting, from flags, environment, and the index that is changed. A setting that another one leaves
 * without effect has its default.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG that names every fault, one a line.
 */
export function loadConfig(
  flags: Readonly<Partial<Record<KnobName, string>>>,
  env: Readonly<Record<string, string | undefined>>,
  stored: Values = {},
): LoadedConfig {
  const faults: string[] = [];
  const wrongVariables: string[] = [];
  const given: Partial<Record<KnobName, unknown>> = {};
  const origins: Partial<Record<KnobName, Origin>> = {};
  for (const name of KNOB_NAMES) {
    const knob = knobOf(name);
    const fromEnv = env[knob.env] === '' ? undefined : env[knob.env];
    const written = flags[name] ?? fromEnv;
    origins[name] = flags[name] !== undefined ? 'flag' : fromEnv !== undefined ? 'environment' : 'default';
    if (written === undefined && isStored(name, stored)) origins[name] = 'index';
    if (written === undefined) continue;
    // A server without the keys that an unset variable of a script was to name lets anyone in; an index may lose its file so.
    const isUnnamed = written === '' && knob.placeholder === 'FILE' && knob.isFile !== true;
    given[name] = isUnnamed ? undefined : knob.parse(written);
    if (given[name] === undefined) {
      const door = origins[name] === 'flag' ? (knob.flag ?? `--set ${knob.word}`) : knob.env;
      if (door === knob.env) wrongVariables.push(door);
      faults.push(`${door} is "${written}"; allowed: ${knob.allowed}${knob.unit && ` (${knob.unit})`}`);
    }
  }
  // With a wrong variable akin config is refused, too.
  refuse(faults, wrongVariables.length > 0 ? `correct it, or unset ${wrongVariables.join(' ')}` : undefined);
  const config = withDefaults(given, stored);
  const loaded = { config, origins: origins as Record<KnobName, Origin> };
  const idle = KNOB_NAMES.filter((name) => offBeside(knobOf(name), config) !== undefined);
  refuse(idleFlags(loaded, idle));
  for (const name of idle) config[name] = defaultOf(knobOf(name), config);
  return { ...loaded, config: Object.freeze(config) as unknown as Config };
}

/** Of a file the index has the contents, not the name. */
function isStored(name: KnobName, stored: Values): boolean {
  return stored[name] !== undefined && knobOf(name).isFile !== true;
}

/** What is given, stored or standard. A stored value that is the default of one profile does not follow to another. */
function withDefaults(given: Values, stored: Values): Record<KnobName, unknown> {
  const profiles = Object.fromEntries(
    PROFILES.map((name) => [name, given[name] ?? stored[name] ?? KNOBS[name].default]),
  );
  const valueFor = (name: KnobName) => {
    const knob = knobOf(name);
    const isOfOther =
      knob.default instanceof PerProfile &&
      stored[knob.default.knob] !== undefined &&
      stored[knob.default.knob] !== profiles[knob.default.knob];
    if (given[name] !== undefined && given[name] !== knob.unset) return given[name];
    if (given[name] === undefined && isStored(name, stored) && !isOfOther) return stored[name];
    return defaultOf(knob, profiles);
  };
  return Object.fromEntries(KNOB_NAMES.map((name) => [name, valueFor(name)])) as Record<KnobName, unknown>;
}

function refuse(
  faults: readonly string[],
  hint = 'akin config lists every setting, its value and where the value came from',
): void {
  if (faults.length > 0) throw new ConfigError('AKIN_ERR_CONFIG', faults.join('\n'), { hint });
}

interface Written {
  readonly config: Values;
  readonly origins: Readonly<Record<KnobName, Origin>>;
}

/** `--memory 512M`, `--set window=3`, `--no-copies`, `AKIN_COPIES=no`. */
function asWritten(name: KnobName, { config, origins }: Written): string {
  const knob = knobOf(name);
  const value = formatValue(knob, config[name]);
  if (origins[name] === 'environment') return `${knob.env}=${value}`;
  if (knob.flag === null) return `--set ${knob.word}=${value}`;
  return knob.placeholder === '' ? knob.flag : `${knob.flag} ${value}`;
}

/**
 * Flags that other settings leave without effect are refused, so that no one waits for a build that differs from the one
 * requested. An environment variable is meant for many calls and may have no effect in some of them. One fault for each.
 */
function idleFlags(written: Written, idle: readonly KnobName[]): string[] {
  const { config, origins } = written;
  const faults = idle
    .filter((name) => origins[name] === 'flag')
    .map((name) => {
      const beside = offBeside(knobOf(name), config) as KnobName;
      return isOff(knobOf(beside), config[beside])
        ? `${asWritten(name, written)} has no effect without ${KNOBS[beside].flag}; add that, or leave it out`
        : `${asWritten(name, written)} has no effect with ${asWritten(beside, written)}; leave one of them out`;
    });
  return isBelowFloor(written)
    ? [
        ...faults,
        `${asWritten('clusterSimilarity', written)} has no effect with ${asWritten('floor', written)}: ` +
          'nothing below the floor is kept; give one at or above the floor',
      ]
    : faults;
}

/** Whether it is not set, or a switch that turns something on, and did not. */
function isOff({ placeholder, default: standard }: Knob<unknown>, value: unknown): boolean {
  return value === '' || (placeholder === '' && standard === false && value === false);
}

/** Whether CENTER needs pairs below the floor, which no list holds; with --pairs it has them, and where lists have no floor. */
function isBelowFloor({ config, origins }: Written): boolean {
  const { pairSimilarity, floor, clusterSimilarity } = config as unknown as Config;
  const isGiven = origins.floor === 'flag' || origins.clusterSimilarity === 'flag';
  const isKept = pairSimilarity === null && offBeside(KNOBS.floor, config) === undefined;
  return isGiven && isKept && floor > clusterSimilarity;
}
