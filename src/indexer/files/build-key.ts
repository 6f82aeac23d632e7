import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { walkFolder } from '../../sources/walk-folder.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../../store/database.ts';

/** Raised whenever a stage leaves files of another form (see stage-files.ts): those of an older akin are not read. */
const FILES_VERSION = 17;

interface OrderedInput {
  readonly path: string;
  readonly records?: unknown;
  readonly followLinks?: boolean;
}

/** What a build reads, and with what resources; where the index goes makes no other build. */
interface WorkOrder {
  readonly target?: string;
  readonly inputs: readonly OrderedInput[];
  readonly workerCount: number;
  readonly memoryBytes: number;
}

/** Files by the places of inputs in which they are to stand. */
export type Replacements = ReadonlyMap<string, string>;

/**
 * Names one build: its options and its inputs with their sizes and times; null where input cannot be read twice.
 *
 * @param replacements the key is that of the same order once these stand in their places.
 */
export function buildKey(order: WorkOrder, replacements: Replacements = new Map()): string | null {
  if (order.inputs.some(({ path, records }) => path === '-' || records !== undefined)) return null;
  const inputs = order.inputs.map((input) => {
    return { ...input, stamp: inputStamp({ ...input, path: replacements.get(input.path) ?? input.path }) };
  });
  return createHash('sha256')
    .update(JSON.stringify([FILES_VERSION, ALGORITHM_VERSION, FORMAT_VERSION, inputs, distinguishing(order)]))
    .digest('hex');
}

/** The options that say what a build makes of its inputs: builds that differ in the others make the same. */
export function distinguishing<Order extends WorkOrder>(order: Order): Omit<Order, keyof WorkOrder> {
  const { inputs: _inputs, target: _target, workerCount: _workers, memoryBytes: _memory, ...others } = order;
  return others;
}

/** Size and time of a file; of a folder, those of everything below it. */
function inputStamp({ path, followLinks = false }: OrderedInput): string {
  if (!existsSync(path)) return 'missing';
  const stat = statSync(path);
  if (!stat.isDirectory()) return `${stat.size} ${stat.mtimeMs}`;
  const hash = createHash('sha256');
  for (const { absolute, relative, error } of walkFolder(path, followLinks)) {
    if (error === null) hash.update(relative).update(`\0${fileStamp(absolute)}\n`);
  }
  return hash.digest('hex');
}

function fileStamp(path: Buffer): string {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size} ${mtimeMs}`;
  } catch {
    return 'unreadable';
  }
}
