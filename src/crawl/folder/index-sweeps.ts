/**
 * Which sweeps of an index inputs are of.
 *
 * Archives of `akin crawl` are of the sweep that their names say, whichever folder they are in, and a sweep of a crawl is one of the index:
 *
 *   sweep-0001-00001.warc.gz  sweep-0001-00002.warc.gz  sweep-0002-00001.warc.gz -> sweep-1, sweep-2
 *
 * All else is of one sweep, beside a crawl of that whose archives come next, or of the last; or each input is of one of
 * its own, where that is asked for.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { optionFault } from '../../errors.ts';
import type { StoredSweep } from '../../store/records.ts';
import { archiveStartMs, sweepOfArchive } from './archive.ts';

interface PathInput {
  readonly path: string;
  readonly sweep?: string;
}

interface SweepUse {
  /** Of `--sweep`: that of the last sweep, which is taken then whatever is known; '' where it is not given. */
  readonly sweepName: string;
  readonly isPerInput: boolean;
  /**
   * Gives the sweeps of the indexes that they are added to: those of a crawl up to the last of these are not read again, but for the
   * last one where it has gone on since. One of other inputs may have the name of one of a crawl.
   */
  readonly known: () => readonly KnownSweep[];
}

interface KnownSweep extends Pick<StoredSweep, 'name' | 'startedAtMs'> {
  /** When its captures were fetched, the first and the last; undefined where it has none. */
  readonly fetchedAtMs: readonly [first: number, last: number] | undefined;
}

/** The name in an index of a sweep of a crawl. */
export function crawlSweepName(sweep: number): string {
  return `sweep-${sweep}`;
}

/** The last sweep of a crawl that an index has, by the names of its sweeps: `sweep-7`, `sweep-7-2`, `sweep-7-live-...`; 0 for none. */
export function lastCrawlSweep(sweeps: readonly Pick<KnownSweep, 'name'>[]): number {
  return Math.max(0, ...sweeps.map(crawlSweepOf));
}

function crawlSweepOf({ name }: Pick<KnownSweep, 'name'>): number {
  return Number(/^sweep-(\d+)/.exec(name)?.[1] ?? 0);
}

/**
 * Inputs with the names of their sweeps, oldest first; without those that the index has. Where none has a name they are of one sweep.
 *
 * Errors  InputError AKIN_ERR_OPTION where no sweep of a crawl is new, and for two inputs of one name.
 */
export function inSweeps<Input extends PathInput>(
  inputs: readonly Input[],
  { sweepName, isPerInput, known }: SweepUse,
): Input[] {
  const crawled = inputs.flatMap((input) => sweepOf(input) ?? []);
  if (crawled.length === 0) return isPerInput ? namedByInput(inputs, crawlSweepName) : [...inputs];
  const last = Math.max(...crawled);
  const sweeps = known();
  const archivesOf = (sweep: KnownSweep) => inputs.filter((input) => sweepOf(input) === crawlSweepOf(sweep));
  const others = sweeps.filter((sweep) => isOfOthers(sweep, archivesOf(sweep)));
  const rest = sweeps.filter((sweep) => !others.includes(sweep));
  // Where none of those whose archives are given is of them, none of the crawl is there.
  const readings = others.length === 0 || rest.some((sweep) => archivesOf(sweep).length > 0) ? rest : [];
  const indexed = lastCrawlSweep(readings);
  const lastReadings = readings.filter((sweep) => crawlSweepOf(sweep) === indexed);
  const readAtMs = Math.max(0, ...lastReadings.map(({ startedAtMs }) => startedAtMs));
  // A crawl was ended before its time, or it is another one with the same numbers.
  const hasGoneOn = inputs.some((input) => sweepOf(input) === indexed && mtimeMs(input) > readAtMs);
  const isNew = (sweep: number) =>
    sweep > indexed || (sweep === indexed && hasGoneOn) || (sweep === last && sweepName !== '');
  if (!isNew(last)) {
    throw optionFault(
      `the index has a sweep ${crawlSweepName(indexed)} already, and no later one is given`,
      'crawl again first; to take in the last sweep under another name, as that of another crawl, give --sweep NAME',
    );
  }
  const given = inputs.filter((input) => isNew(sweepOf(input) ?? last));
  const ownName = (sweep: number) => {
    const count = sweeps.filter((one) => crawlSweepOf(one) === sweep).length;
    return count > 0 ? `${crawlSweepName(sweep)}-${count + 1}` : crawlSweepName(sweep);
  };
  if (isPerInput) return namedByInput(given, ownName);
  const named = (sweep: number) => (sweep === last && sweepName !== '' ? sweepName : ownName(sweep));
  return given
    .map((input, at) => ({ input, sweep: nextSweep(given.slice(at)) ?? last }))
    .toSorted((a, b) => a.sweep - b.sweep)
    .map(({ input, sweep }) => ({ ...input, sweep: named(sweep) }));
}

/** Whether a sweep of an index has captures, and all of another time than archives of its name. */
function isOfOthers({ fetchedAtMs }: KnownSweep, archives: readonly PathInput[]): boolean {
  if (archives.length === 0 || fetchedAtMs === undefined) return false;
  const [first, last] = fetchedAtMs;
  const fromMs = Math.min(...archives.map(({ path }) => archiveStartMs(path)));
  return last < fromMs || first > Math.max(...archives.map(mtimeMs));
}

function nextSweep(inputs: readonly PathInput[]): number | null {
  const archive = inputs.find((input) => sweepOf(input) !== null);
  return archive === undefined ? null : sweepOf(archive);
}

function sweepOf({ path }: PathInput): number | null {
  return sweepOfArchive(basename(path));
}

function mtimeMs({ path }: PathInput): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

// bounded: the name of a file.
const ENDINGS = /(?:\.(?:jsonl|ndjson|json|w?arc|wacz|gz|zst))+$/i;

/** Archives of a crawl by their sweeps, all else by file or folder without the endings of formats, each by another name. */
function namedByInput<Input extends PathInput>(
  inputs: readonly Input[],
  ownName: (sweep: number) => string,
): Input[] {
  const named = new Map<string, string>();
  return inputs.map((input) => {
    const { path } = input;
    const crawled = sweepOf(input);
    if (crawled !== null) return { ...input, sweep: ownName(crawled) };
    const sweep = basename(path).replace(ENDINGS, '') || path;
    const twin = named.get(sweep);
    named.set(sweep, path);
    if (twin === undefined) return { ...input, sweep };
    throw optionFault(
      `the input ${twin} has a sweep ${sweep} already, and ${path} would be another one`,
      'rename the input, or add it alone: akin add INPUT --sweep NAME --to FILE',
    );
  });
}
