import { readFileSync } from 'node:fs';
import { inSweeps } from '../../crawl/folder/index-sweeps.ts';
import { InputError, optionFault } from '../../errors.ts';
import { resourcesOf } from '../../indexer/files/budget.ts';
import { isIndexInput } from '../../indexer/gather/extract/index-input.ts';
import {
  BUILD_ROWS,
  type BuildInput,
  type BuildOptions,
  type ShapingOptions,
  shapeOf,
} from '../../indexer/options/build-options.ts';
import { requirePossible } from '../../indexer/options/possible.ts';
import { storedSweeps } from '../../indexer/options/stored-options.ts';
import { readClassTable } from '../evaluate/class-table.ts';
import { type Config, namesOf } from '../settings/config.ts';
import { parseInputs } from '../settings/inputs.ts';
import type { ReadingFlags } from '../terminal/page-reading.ts';

/** The settings of a build. */
export const BUILD_NAMES = namesOf(BUILD_ROWS);

/** The options of a build; those that no setting is given for are, of an index that is changed, as they are `stored`. */
export function buildOptions(
  paths: readonly string[],
  flags: Omit<ReadingFlags, 'json' | 'verbose'>,
  config: Config,
  stored?: ShapingOptions,
): BuildOptions {
  const format = config.format === 'auto' ? null : config.format;
  const given = parseInputs(paths, flags.base ?? null, format, flags);
  const inputs = inSweeps(given, {
    sweepName: config.sweepName,
    isPerInput: flags.sweepPerInput === true,
    known: () => {
      const indexes = given.filter(isIndexInput).map(({ path }) => path);
      return [...(stored === undefined ? [] : [flags.to]), ...indexes].flatMap(storedSweeps);
    },
  });
  const options: BuildOptions = {
    ...shapeOf((name, knob) =>
      knob.isFile ? (contentsOf(name, config) ?? stored?.[name] ?? null) : config[name],
    ),
    ...resourcesOf(config),
    inputs,
    target: flags.to,
    sweepName: config.sweepName,
    ...wholeOf(flags, inputs),
  };
  requirePossible(options);
  return options;
}

/** Errors  InputError AKIN_ERR_OPTION for the name of no new sweep, and where one is named beside all. */
function wholeOf(
  { whole, wholeSweep: names }: Pick<ReadingFlags, 'whole' | 'wholeSweep'>,
  inputs: readonly BuildInput[],
): Pick<BuildOptions, 'isWhole' | 'wholeSweeps'> {
  if (names === undefined) return { isWhole: whole === true };
  const known = [...new Set(inputs.flatMap(({ sweep }) => sweep ?? []))];
  if (whole === true || known.length === 0) {
    const why =
      whole === true ? '--whole says it of all sweeps' : 'there is one sweep without --sweep-per-input';
    throw optionFault(`--whole-sweep has no effect: ${why}`, 'leave one of them out');
  }
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw optionFault(`no input makes a sweep ${unknown}`, `give one of: ${known.join(', ')}`);
  }
  return { isWhole: true, wholeSweeps: names };
}

const READERS: Readonly<Partial<Record<keyof ShapingOptions, (path: string) => unknown>>> = {
  stopWords: readStopWords,
  classes: readClassTable,
};

/** What the file of a setting says; undefined where none is given. */
function contentsOf(name: keyof ShapingOptions, config: Config): unknown {
  return config[name] === '' ? undefined : READERS[name]!(String(config[name]));
}

function readStopWords(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the stop words in ${path}`, {
      hint: 'give a text file with one word a line',
      cause,
    });
  }
}
