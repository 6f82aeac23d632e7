/** What a setting is: its name, its allowed values and its default. The kinds of values are in kinds.ts. */
import { inWords } from '../../lib/in-words.ts';

/** A default that is another one for each profile. */
export class PerProfile<T> {
  readonly knob: 'profile' | 'copyProfile';
  readonly of: Readonly<Record<string, T>>;

  constructor(knob: 'profile' | 'copyProfile', defaults: Readonly<Record<string, T>>) {
    this.knob = knob;
    this.of = defaults;
  }

  /** The default that each of some profiles has. */
  static from<Profile, T>(
    knob: 'profile' | 'copyProfile',
    profiles: Readonly<Record<string, Profile>>,
    pick: (profile: Profile) => T,
  ): PerProfile<T> {
    const defaults = Object.entries(profiles).map(([name, profile]) => [name, pick(profile)]);
    return new PerProfile<T>(knob, Object.fromEntries(defaults));
  }
}

/** A setting that leaves another one without effect, and whether a value of it does. */
interface Off {
  readonly beside: string;
  /** `others` are all settings. */
  at(value: unknown, others: Readonly<Record<string, unknown>>): boolean;
}

/** What must be said of each setting, and what may be. */
export interface Naming<T> {
  /** Its name for people, where that is not the name of the row with hyphens. */
  readonly word?: string;
  readonly doc: string;
  readonly default: T | PerProfile<T>;
  /** A value that stands for the default of the profile at hand. */
  readonly unset?: T;
  /** Whether the value is the path of a file whose contents are the option. */
  readonly isFile?: boolean;
  /** Wanted by few: it has no flag of its own, and is given with `--set WORD=VALUE`. */
  readonly isRare?: boolean;
  readonly off?: readonly Off[];
  /** Of a value that only a build on one machine takes, how it is written; null of others. */
  oneMachine?(value: unknown): string | null;
  /** How an index keeps it: as it is under its name in snake case, unless this says otherwise. */
  readonly stored?: Stored;
}

/** What an index says of the options that it was built with. */
export interface StoredFacts {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly topic: { readonly neighborLimit: number; readonly floor: number };
  readonly copyClusterings: readonly { readonly name: string }[];
}

interface Stored {
  /** The parameter of a value beside the other options; undefined where the index has none. */
  write?(value: unknown, others: Readonly<Record<string, unknown>>): unknown;
  /** Undefined where the index does not say: it is the default then. */
  read?(facts: StoredFacts): unknown;
}

interface Kind<T> {
  /** The value in help texts: `SIZE`, `N`; '' for a switch, whose flag takes no value. */
  readonly placeholder: string;
  /** Range, choices or form, for people. */
  readonly allowed: string;
  readonly unit: string;
  /** Value of a text, or undefined where the text is not allowed. */
  parse(text: string): T | undefined;
  /** The text or number that `parse` reads as this value. */
  written(value: T): string | number;
  /** The same for people, where that is another text. */
  shown?(value: T): string;
}

interface Names {
  readonly word: string;
  /** Null where it is rare. */
  readonly flag: string | null;
  readonly env: string;
  /** Heading in help texts. */
  readonly group: string | null;
}

export type Row<T> = Naming<T> & Kind<T>;
export type Knob<T> = Row<T> & Names;
export type ValueOf<K extends Kind<unknown>> = Exclude<ReturnType<K['parse']>, undefined>;

/** The settings of a table by their names; those of a group stand under its heading in help texts. */
export function knobs<Table extends Readonly<Record<string, Row<unknown>>>>(
  group: string | null,
  table: Table,
): { readonly [Name in keyof Table]: Table[Name] & Names } {
  const named = Object.entries(table).map(([name, row]) => {
    const word = row.word ?? inWords(name, '-');
    const flag = row.isRare === true ? null : row.default === true ? `--no-${word}` : `--${word}`;
    const env = `AKIN_${word.replaceAll('-', '_').toUpperCase()}`;
    return [name, { ...row, word, flag, env, group }];
  });
  return Object.fromEntries(named) as { readonly [Name in keyof Table]: Table[Name] & Names };
}

/** A setting that names a file, and an option that has its contents. */
export interface FileRow<Contents> extends Row<string> {
  readonly isFile: true;
  /** Never there: it says what type the option has. */
  readonly contents?: Contents;
}

/** What a function of the build takes for a setting. */
export type OptionOf<K extends Kind<unknown>> = K extends FileRow<infer Contents> ? Contents : ValueOf<K>;

/** A value for people: `512M`, `yes`, `0.5`; '' for a text that is not set. */
export function formatValue<T>(knob: Knob<T>, value: T): string {
  return knob.shown?.(value) ?? String(knob.written(value));
}

/** The default of a knob beside other settings. */
export function defaultOf<T>({ default: standard }: Knob<T>, settings: Readonly<Record<string, unknown>>): T {
  return standard instanceof PerProfile ? standard.of[String(settings[standard.knob])]! : standard;
}

/** Of settings the name of one that leaves another without effect; undefined where none does. */
export function offBeside<T>(
  { off }: Knob<T>,
  settings: Readonly<Record<string, unknown>>,
): string | undefined {
  return off?.find(({ beside, at }) => at(settings[beside], settings))?.beside;
}

/** The default for people: `1G`, or `32 (haveliwala2000: 100)`. */
export function describeDefault<T>(knob: Knob<T>): string {
  const { default: standard } = knob;
  const show = (value: T) => formatValue(knob, value) || 'not set';
  if (!(standard instanceof PerProfile)) return show(standard);
  const [[, first], ...others] = Object.entries(standard.of) as [[string, T], ...[string, T][]];
  const differing = others.filter(([, value]) => value !== first);
  return `${show(first)} (${differing.map(([name, value]) => `${name}: ${show(value)}`).join(', ')})`;
}
