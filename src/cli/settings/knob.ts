import { InputError } from '../../errors.ts';
import { PROFILES, type ProfileName } from '../../indexer/options/build-options.ts';

/** One setting: its names, its allowed values and its default. */
export interface Knob<T> {
  readonly flag: string;
  readonly env: string;
  /** The value in help texts: `SIZE`, `N`; '' for a switch, whose flag takes no value. */
  readonly placeholder: string;
  readonly default: T | Readonly<Record<ProfileName, T>>;
  /** Range, choices or form, for people. */
  readonly allowed: string;
  readonly unit: string;
  readonly doc: string;
  /** Value of a text, or undefined where the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

interface Names {
  readonly flag: string;
  readonly env: string;
  readonly doc: string;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly default: number | Readonly<Record<ProfileName, number>>;
}

const inRange = (value: number, { min, max }: Range): number | undefined =>
  value >= min && value <= max ? value : undefined;

export function integer(spec: Names & Range): Knob<number> {
  return {
    ...spec,
    placeholder: 'N',
    allowed: `${spec.min} to ${spec.max}`,
    parse: (text) => (/^\d+$/.test(text) ? inRange(Number(text), spec) : undefined),
  };
}

/** A number that may have a fraction: `0.5`, `2`. */
export function decimal(spec: Names & Range): Knob<number> {
  return {
    ...spec,
    placeholder: 'X',
    allowed: `${spec.min} to ${spec.max}`,
    parse: (text) => (/^(\d+(\.\d*)?|\.\d+)$/.test(text) ? inRange(Number(text), spec) : undefined),
  };
}

export function fraction(spec: Names & Omit<Range, 'min' | 'max' | 'unit'>): Knob<number> {
  const range = { ...spec, min: 0, max: 1, unit: '' };
  return {
    ...range,
    placeholder: 'X',
    allowed: '0 to 1',
    parse: (text) => (/^(\d+(\.\d*)?|\.\d+)$/.test(text) ? inRange(Number(text), range) : undefined),
  };
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** `512M`, `1.5G`, `65536`: K, M and G are powers of 1024. */
export function bytes(spec: Names & Omit<Range, 'unit'>): Knob<number> {
  const range = { ...spec, unit: 'bytes' };
  return {
    ...range,
    placeholder: 'SIZE',
    allowed: `${formatBytes(spec.min)} to ${formatBytes(spec.max)}`,
    parse: (text) => {
      const match = /^(\d+(?:\.\d+)?)([KMG]?)B?$/i.exec(text);
      if (match === null) return undefined;
      return inRange(Math.floor(Number(match[1]) * (SUFFIXES[match[2]!.toUpperCase()] ?? 1)), range);
    },
  };
}

export function choice<const T extends string>(
  spec: Names & {
    readonly choices: readonly T[];
    readonly default: NoInfer<T> | Readonly<Record<ProfileName, NoInfer<T>>>;
  },
): Knob<T> {
  return {
    ...spec,
    placeholder: 'NAME',
    unit: '',
    allowed: spec.choices.join(', '),
    parse: (text) => spec.choices.find((name) => name === text),
  };
}

/** A switch. Its flag takes no value: `--no-...` turns off what is on by default, any other turns on what is off. */
export function toggle(spec: Names): Knob<'yes' | 'no'> {
  const isOn = spec.flag.startsWith('--no-');
  return { ...choice({ ...spec, choices: ['yes', 'no'], default: isOn ? 'yes' : 'no' }), placeholder: '' };
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `12h`, `1d` in milliseconds; null for what is no duration. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNITS_MS[unit!]!;
}

/** Any text; an empty one means "not set". */
export function text(spec: Names & { readonly placeholder: string; readonly default: string }): Knob<string> {
  return { ...spec, unit: '', allowed: 'any text', parse: (value) => value };
}

/**
 * The number of a flag that is no setting: it belongs to one command and has no environment variable.
 *
 * Errors  InputError AKIN_ERR_OPTION.
 */
export function flagNumber(
  flag: string,
  written: string,
  { min, max, whole = false }: { readonly min: number; readonly max: number; readonly whole?: boolean },
): number {
  const value = Number(written);
  const isNumber = written.trim() !== '' && (!whole || Number.isInteger(value));
  if (isNumber && value >= min && value <= max) return value;
  const kind = whole ? 'whole numbers' : 'numbers';
  throw new InputError('AKIN_ERR_OPTION', `${flag} is "${written}"`, {
    hint: `allowed: ${kind} from ${min} to ${max}`,
  });
}

/** 536870912 is `512M`, 1500 is `1500`: the largest suffix that divides it. */
export function formatBytes(value: number): string {
  for (const suffix of ['G', 'M', 'K']) {
    const size = SUFFIXES[suffix]!;
    if (value >= size && value % size === 0) return `${value / size}${suffix}`;
  }
  return String(value);
}

/** The default of a knob under a profile. */
export function defaultOf<T>(knob: Knob<T>, profile: ProfileName): T {
  return isByProfile(knob.default) ? knob.default[profile] : knob.default;
}

/** The default for people: `1G`, or `32 (haveliwala2000: 100)`. */
export function describeDefault(knob: Knob<unknown>): string {
  const show = (value: unknown) =>
    knob.unit === 'bytes' ? formatBytes(value as number) : String(value) || 'not set';
  if (!isByProfile(knob.default)) return show(knob.default);
  const [first, ...others] = PROFILES;
  const byProfile = knob.default;
  return `${show(byProfile[first])} (${others.map((name) => `${name}: ${show(byProfile[name])}`).join(', ')})`;
}

function isByProfile<T>(
  value: T | Readonly<Record<ProfileName, T>>,
): value is Readonly<Record<ProfileName, T>> {
  return typeof value === 'object' && value !== null;
}
