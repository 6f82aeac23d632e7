/**
 * Gives up branches whose pages are copies of each other: calendars without entries, endless paths, one page under many
 * queries. Their URLs look new, so URL rules do not find them.
 *
 * A page is a copy if it resembles one of the last different pages of its host. A branch is a folder, or a path with a
 * query; it is given up when so many pages of it in a row were copies. Pages without a word are copies of each other.
 *
 * Compared by shingle sketches, as the profile akin compares copies; by permutations (cs276) more is missed and wrong, at ten
 * times the cost: bench/results/crawl.json.
 * Memory  the sketches of the last hosts; what was learned of a branch that is not yet given up is lost with the process.
 */
import { resemblanceFrom } from '../../sketch/resemblance.ts';
import { type ShingleSketch, sketchText } from '../../sketch/shingle-sketch.ts';

const COPY_RESEMBLANCE = 0.9;
/** Copies in a row. */
const MAX_RUN = 20;
/** Different pages of a host that a page is compared with. */
const COMPARED_PAGES = 32;
const MAX_HOSTS = 512;
const MAX_BRANCHES_A_HOST = 512;
/** Few shingles say little: a page of five shingles resembles by .9 only what is equal. */
const SKETCH = { shingleSize: 10, minimum: 200 };

interface HostMemory {
  readonly sketches: ShingleSketch[];
  /** Copies in a row, by branch. */
  readonly runs: Map<string, number>;
}

export class CopyStop {
  readonly #hosts = new Map<number, HostMemory>();

  /** Notes a page. Returns the branches that are to be given up from now on. */
  meet(hostId: number, url: string, text: string): string[] {
    const host = this.#hosts.get(hostId) ?? { sketches: [], runs: new Map<string, number>() };
    this.#hosts.delete(hostId);
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.delete(this.#hosts.keys().next().value!);
    this.#hosts.set(hostId, host);
    const isCopy = isAmong(host.sketches, sketchText(text, SKETCH));
    const stopped: string[] = [];
    for (const branch of branchesOf(url)) {
      const run = isCopy ? (host.runs.get(branch) ?? 0) + 1 : 0;
      host.runs.delete(branch);
      if (run === 0) continue;
      if (host.runs.size >= MAX_BRANCHES_A_HOST) host.runs.delete(host.runs.keys().next().value!);
      host.runs.set(branch, run);
      if (run === MAX_RUN) stopped.push(branch);
    }
    return stopped;
  }
}

/** The folders of a URL below the root of its host, outermost first, and its path where it has a query. */
export function branchesOf(url: string): string[] {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const root = path.indexOf('/', path.indexOf('//') + 2);
  const branches: string[] = [];
  for (let slash = path.indexOf('/', root + 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    branches.push(path.slice(0, slash + 1));
  }
  if (mark >= 0) branches.push(`${path}?`);
  return branches;
}

/** Whether the sketch resembles one of them; the one that it resembles, or it itself, is the last afterwards. */
function isAmong(sketches: ShingleSketch[], sketch: ShingleSketch): boolean {
  for (let i = sketches.length - 1; i >= 0; i--) {
    const other = sketches[i]!;
    const isEqual = sketch.shingleCount === 0 && other.shingleCount === 0;
    if (isEqual || resemblanceFrom(sketch, other, COPY_RESEMBLANCE) !== null) {
      sketches.push(...sketches.splice(i, 1));
      return true;
    }
  }
  sketches.push(sketch);
  if (sketches.length > COMPARED_PAGES) sketches.shift();
  return false;
}
