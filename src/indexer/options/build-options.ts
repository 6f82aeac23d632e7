import type { SourceOptions } from '../../sources/record/record.ts';
import type { Records } from '../../sources/records.ts';
import type { Resources } from '../files/budget.ts';
import { COPY_ROWS } from './copy-rows.ts';
import { bytes, choice, GIB, integer, MIB, text } from './kinds.ts';
import { defaultOf, type Knob, knobs, type OptionOf } from './knob.ts';
import { DISPLAY_ROWS, FREQUENCY_ROWS, READING_ROWS } from './reading-rows.ts';
import { PROFILE_ROWS, TOPIC_ROWS } from './topic-rows.ts';

export interface BuildInput extends Omit<SourceOptions, 'maxPageBytes'> {
  /** A WARC or ARC file, a JSONL file, a folder, an index, or `-` for standard input; of records what faults call them. */
  readonly path: string;
  /** What a program gives in place of a file. */
  readonly records?: Records;
  /** Bytes of all pages among them, roughly, where that is known. */
  readonly recordBytes?: number;
  /** Name of the sweep that it is of, with those side by side that have it, too; default: that of all inputs without one. Not of an index. */
  readonly sweep?: string;
}

/** What a build may use; the index is the same for any. */
const RESOURCE_ROWS = knobs('Resources:', {
  memoryBytes: bytes({
    word: 'memory',
    default: GIB,
    min: 64 * MIB,
    max: 1024 * GIB,
    doc: "budget of the build's tables and buffers; a smaller one means more passes over the disk",
  }),
  workerCount: integer({
    word: 'workers',
    default: 0,
    min: 0,
    max: 256,
    unit: 'threads',
    doc: 'threads of the build, at most: never more than one per core, and fewer for a small input; 0 means one per core. The index is the same for any number',
  }),
});

/** What is said of the inputs. */
const INPUT_ROWS = knobs('Input:', {
  sweepName: text({
    word: 'sweep',
    placeholder: 'NAME',
    doc: 'name of this sweep of pages, stored with each capture; without one they are sweep-1, sweep-2, ...',
  }),
  format: choice({
    choices: ['auto', 'warc', 'jsonl'],
    default: 'auto',
    doc: 'format of standard input; auto recognizes it by its first bytes',
  }),
});

/** What shapes an index; it is stored there. */
export const SHAPING_ROWS = {
  ...PROFILE_ROWS,
  ...READING_ROWS,
  ...FREQUENCY_ROWS,
  ...TOPIC_ROWS,
  ...COPY_ROWS,
  ...DISPLAY_ROWS,
};

/** Every option of a build that is a setting. */
export const BUILD_ROWS = { ...PROFILE_ROWS, ...INPUT_ROWS, ...RESOURCE_ROWS, ...SHAPING_ROWS };

type OptionsOf<Rows extends Readonly<Record<string, Knob<unknown>>>> = {
  readonly [Name in keyof Rows]: OptionOf<Rows[Name]>;
};

/** What is read, and which sweeps it makes. */
export interface InputOptions {
  readonly inputs: readonly BuildInput[];
  /** Name of the sweep of all inputs that are no index and name none; '' takes the next of `sweep-1`, `sweep-2`, ... */
  readonly sweepName: string;
  /** Each new sweep holds all pages of the sites that it covers: other URLs of these sites are gone since. */
  readonly isWhole: boolean;
  /** Names of the new sweeps that this is true of; null for all. */
  readonly wholeSweeps: readonly string[] | null;
  /** Canonical URLs that are left out of the indexes among the inputs, with all links to them. */
  readonly without: readonly string[];
  /** Canonical URLs of pages of these indexes that are read as if they had no links. */
  readonly unlinked: readonly string[];
  /** Whether an index of no pages is made where the inputs have none. */
  readonly mayBeEmpty: boolean;
}

/** What is asked to be read; what is left out stands in `inputOf`. */
export interface InputOrder extends Partial<InputOptions> {
  readonly inputs: readonly BuildInput[];
}

export type ReadingOptions = OptionsOf<typeof READING_ROWS>;
export type FrequencyBounds = OptionsOf<typeof FREQUENCY_ROWS>;
export type TopicOptions = OptionsOf<typeof PROFILE_ROWS & typeof TOPIC_ROWS>;
export type CopyOptions = OptionsOf<typeof COPY_ROWS>;
export type DisplayOptions = OptionsOf<typeof DISPLAY_ROWS>;
export type ShapingOptions = OptionsOf<typeof SHAPING_ROWS>;

/** What a build makes of its input, wherever the index goes and whatever it may use. Functions take the groups that they need. */
export interface BuildTask extends ShapingOptions {
  /**
   * Whether the index is asked for lists alone and is no input: the search by shingles, and the words of pages whose
   * texts are not kept are left out. Default false.
   */
  readonly listsOnly?: boolean;
}

/** All settings of a build. */
export interface BuildOptions extends BuildTask, Resources, InputOrder {
  /** The index file to publish; the work folder is `<target>.work` beside it. */
  readonly target: string;
}

/** The options by what they are of. */
export function dividedOptions({ target: _target, memoryBytes, workerCount, ...order }: BuildOptions): {
  readonly input: InputOptions;
  readonly resources: Resources;
  readonly task: BuildTask;
} {
  // What gives the records of a program stays on its thread.
  const { inputs: _inputs, ...task } = order;
  return { input: inputOf(order), resources: { memoryBytes, workerCount }, task };
}

export function inputOf(order: InputOrder): InputOptions {
  const { inputs, sweepName = '', isWhole = false } = order;
  const { wholeSweeps = null, without = [], unlinked = [], mayBeEmpty = false } = order;
  return { inputs, sweepName, isWhole, wholeSweeps, without, unlinked, mayBeEmpty };
}

/** What shapes an index where nothing else is asked for. */
export function defaultShape(
  profile: ShapingOptions['profile'] = 'akin',
  copyProfile: ShapingOptions['copyProfile'] = 'akin',
): ShapingOptions {
  return shapeOf((_name, knob) => (knob.isFile ? null : defaultOf(knob, { profile, copyProfile })));
}

/** How the options are written that only a build on one machine takes. */
export function oneMachineOptions(options: ShapingOptions): string[] {
  return Object.entries<Knob<unknown>>(SHAPING_ROWS).flatMap(
    ([name, knob]) => knob.oneMachine?.(options[name as keyof ShapingOptions]) ?? [],
  );
}

/** The options whose values a function gives. */
export function shapeOf(value: (name: keyof ShapingOptions, knob: Knob<unknown>) => unknown): ShapingOptions {
  const entries = Object.entries<Knob<unknown>>(SHAPING_ROWS);
  return Object.fromEntries(
    entries.map(([name, knob]) => [name, value(name as keyof ShapingOptions, knob)]),
  ) as unknown as ShapingOptions;
}
