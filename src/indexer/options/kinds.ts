/** The kinds of values that settings have: numbers, sizes, choices, switches, texts. */
import { parseSelectors } from '../../page/marks/selector.ts';
import type { FileRow, Naming, Row } from './knob.ts';

export const MIB = 2 ** 20;
export const GIB = 2 ** 30;

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

const inRange = (value: number, { min, max }: Range): number | undefined =>
  value >= min && value <= max ? value : undefined;
const asIs = <T>(value: T): T => value;

const numberOf =
  (placeholder: string, form: RegExp) =>
  (spec: Naming<number> & Range): Row<number> => ({
    ...spec,
    placeholder,
    allowed: `${spec.min} to ${spec.max}`,
    parse: (text) => (form.test(text) ? inRange(Number(text), spec) : undefined),
    written: asIs,
  });

export const integer = numberOf('N', /^\d+$/);
/** A number that may have a fraction: `0.5`, `2`. */
export const decimal = numberOf('X', /^(\d+(\.\d*)?|\.\d+)$/);

/** A number from 0 to 1. */
export function fraction(spec: Naming<number>): Row<number> {
  return decimal({ ...spec, min: 0, max: 1, unit: '' });
}

const SUFFIXES: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** `512M`, `1.5G`, `65536`: K, M and G are powers of 1024. */
export function bytes(spec: Naming<number> & Omit<Range, 'unit'>): Row<number> {
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
    written: asIs,
    shown: formatBytes,
  };
}

/** 536870912 is `512M`, 1500 is `1500`: the largest suffix that divides it. */
function formatBytes(value: number): string {
  for (const suffix of ['G', 'M', 'K']) {
    const size = SUFFIXES[suffix]!;
    if (value >= size && value % size === 0) return `${value / size}${suffix}`;
  }
  return String(value);
}

export function choice<const T extends string | number>(
  spec: Naming<NoInfer<T>> & { readonly choices: readonly T[] },
): Row<T> {
  return {
    ...spec,
    placeholder: 'NAME',
    unit: '',
    allowed: spec.choices.join(', '),
    parse: (text) => spec.choices.find((one) => String(one) === text),
    written: String,
  };
}

/** A switch. Its flag takes no value: `--no-...` turns off what is on by default, any other turns on what is off. */
export function toggle(spec: Naming<boolean>): Row<boolean> {
  return {
    ...spec,
    placeholder: '',
    unit: '',
    allowed: 'yes, no',
    parse: (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
    written: (isOn) => (isOn ? 'yes' : 'no'),
  };
}

/** Any text, or one that `parse` takes; an empty one means "not set", as by default. */
export function text(
  spec: Pick<Row<string>, 'doc' | 'placeholder'> & Partial<Naming<string> & Row<string>>,
): Row<string> {
  return { default: '', allowed: 'any text', parse: asIs, ...spec, unit: '', written: asIs };
}

/** Elements of a page by a selector; '' means none. */
export function selector(spec: Omit<Naming<string>, 'default'>): Row<string> {
  return text({
    ...spec,
    placeholder: 'SELECTOR',
    allowed:
      'tag, .class, #id, [name], [name=value], elements within elements (main article), commas between several',
    parse: (text) => (text === '' || parseSelectors(text) !== null ? text : undefined),
  });
}

/** The name of a file; '' means "not set", and the option is null then. */
export function file<Contents>(
  spec: Omit<Naming<string>, 'default'> & { readonly placeholder: string },
): FileRow<Contents | null> {
  return { ...text(spec), isFile: true };
}
