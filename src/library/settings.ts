import { ConfigError } from '../errors.ts';
import { type Resources, resourcesOf } from '../indexer/files/budget.ts';
import { BUILD_ROWS, type ShapingOptions, shapeOf } from '../indexer/options/build-options.ts';
import { defaultOf, type Knob, offBeside } from '../indexer/options/knob.ts';
import { requirePossible } from '../indexer/options/possible.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import type { BuildSettings } from './generated.ts';

/** What a setting is that stands in a file on the command line; undefined for what is none. */
const CONTENTS: Readonly<Record<string, readonly [allowed: string, read: (own: unknown) => unknown]>> = {
  stopWords: ['a text, a word a line', (own) => (typeof own === 'string' ? own : undefined)],
  classes: ['pairs of an http(s) URL and a path', readClasses],
};

/** By canonical URL, each once, of which the first path counts that is not empty; undefined where one is no pair. */
function readClasses(own: unknown): ShapingOptions['classes'] | undefined {
  if (!Array.isArray(own)) return undefined;
  const pathOf = new Map<string, string>();
  for (const pair of own) {
    const [url, path] = Array.isArray(pair) && pair.length === 2 ? pair : [];
    const canonical = typeof url === 'string' ? canonicalUrl(url) : null;
    if (canonical === null || typeof path !== 'string') return undefined;
    if (path !== '' && !pathOf.has(canonical)) pathOf.set(canonical, path);
  }
  return [...pathOf].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Settings with their defaults. Errors  ConfigError AKIN_ERR_CONFIG that names each that cannot be used, one a line. */
export function settingsOf(given: BuildSettings): ShapingOptions & Resources {
  const faults: string[] = [];
  const asked: Readonly<Record<string, unknown>> = { ...given };
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(BUILD_ROWS, name)) faults.push(`there is no setting ${name}`);
  }
  const profiles = { profile: 'akin', copyProfile: 'akin', ...given };
  const value = (name: string, knob: Knob<unknown>): unknown => {
    const own = asked[name];
    if (own === undefined) return knob.isFile ? null : defaultOf(knob, profiles);
    if (knob.isFile && own === null) return null;
    const [allowed, readOwn] = CONTENTS[name] ?? [knob.allowed, (one: unknown) => readBack(knob, one)];
    const read = readOwn(own);
    if (read === undefined) faults.push(`${name} is ${JSON.stringify(own)}; allowed: ${allowed}`);
    if (knob.isFile) return read;
    return read === knob.unset ? defaultOf(knob, profiles) : read;
  };
  const shape = shapeOf(value);
  const memoryBytes = value('memoryBytes', BUILD_ROWS.memoryBytes as Knob<unknown>) as number;
  const workerCount = value('workerCount', BUILD_ROWS.workerCount as Knob<unknown>) as number;
  if (faults.length === 0) faults.push(...idleSettings(Object.keys(given), { ...shape }));
  if (faults.length > 0) {
    throw new ConfigError('AKIN_ERR_CONFIG', faults.join('\n'), {
      hint: 'docs/library.md names the settings; akin config says what each is',
    });
  }
  const options = { ...shape, ...resourcesOf({ memoryBytes, workerCount }) };
  requirePossible(options);
  return options;
}

/** Values that other settings leave without effect; a default may stand beside any of them. */
function idleSettings(names: readonly string[], settings: Readonly<Record<string, unknown>>): string[] {
  const rows: Readonly<Record<string, Knob<unknown>>> = BUILD_ROWS;
  return names.flatMap((name) => {
    const knob = rows[name]!;
    const beside = offBeside(knob, settings);
    const [value, standard] = [settings[name], knob.isFile ? null : defaultOf(knob, settings)].map((one) =>
      JSON.stringify(one),
    );
    if (beside === undefined || value === standard) return [];
    const shown = knob.isFile ? 'given' : value;
    return [`${name} is ${shown}, which has no effect with ${beside} ${JSON.stringify(settings[beside])}`];
  });
}

/** A value as the command line would read it, so that both take the same; undefined for one that is not allowed. */
function readBack(knob: Knob<unknown>, value: unknown): unknown {
  try {
    return knob.parse(String(typeof value === 'string' ? value : knob.written(value)));
  } catch {
    return undefined;
  }
}
