/**
 * Runs files of tests one after the other in this process: what they import is loaded and compiled once for all. Each file
 * of test/processes is such a process; numbers make those that take longest start first.
 */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteCost, processorSeconds } from './processor-time.ts';

// Processes that the tests start find their sources as this one does, which is a third of what their start takes.
const { NODE_OPTIONS: options = '' } = process.env;
process.env['NODE_OPTIONS'] = `${options} --import=${new URL('./compile-cache.ts', import.meta.url)}`;

/** Those that the patterns match, but for those of patterns behind a `!`. */
export function filesOf(patterns: readonly string[]): string[] {
  const exclude = patterns.flatMap((pattern) => (pattern.startsWith('!') ? [pattern.slice(1)] : []));
  return globSync([...patterns], { exclude }).sort();
}

/**
 * Runs the files of the patterns. Each file is a test that holds the tests and the hooks of the file: where it
 * cannot be loaded or takes too long, it fails by its name, and those after it run.
 */
export function runFiles(...patterns: readonly string[]): void {
  let ofFiles = 0;
  for (const file of filesOf(patterns)) {
    test(file, async (t) => {
      const before = processorSeconds();
      t.after(() => {
        const seconds = processorSeconds() - before;
        ofFiles += seconds;
        noteCost(file, seconds);
      });
      await import(pathToFileURL(join(process.cwd(), file)).href);
    });
  }
  const own = relative(process.cwd(), process.argv[1]!);
  process.once('exit', () => noteCost(`${own}, by itself`, processorSeconds() - ofFiles));
}
