import { isDeepStrictEqual } from 'node:util';
import { SHAPING_ROWS, type ShapingOptions } from '../../indexer/options/build-options.ts';
import { defaultOf, type Knob } from '../../indexer/options/knob.ts';
import { loadConfig } from '../settings/config.ts';
import type { TuneSetting } from './tune-report.ts';

/**
 * What an index was built with beside `best`, as flags of `akin index`: an index that is an input says nothing of it. Of a
 * file it has the contents, so the file is left to be named.
 */
export function keptSettings(stored: ShapingOptions, best: TuneSetting): string[] {
  const all = { ...stored, ...best };
  const { config } = loadConfig({}, {}, all);
  return Object.entries<Knob<unknown>>(SHAPING_ROWS).flatMap(([name, knob]) => {
    const { word, flag, placeholder, isFile = false } = knob;
    const value = (isFile ? all : config)[name as keyof ShapingOptions];
    const standard = isFile ? null : defaultOf(knob, { ...config });
    if (name in best || isDeepStrictEqual(value, standard)) return [];
    if (isFile) return `${flag} ${placeholder}`;
    const written = String(knob.written(value));
    if (flag === null) return `--set ${quoted(`${word}=${written}`)}`;
    return placeholder === '' ? flag : `${flag} ${quoted(written)}`;
  });
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w.,:=%/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
