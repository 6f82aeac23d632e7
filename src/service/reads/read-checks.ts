/** Checks of what goes over the network. Only a process that asks shards, or is asked as one, loads them. */
import { Compile } from 'typebox/schema';
import { keptIn } from '../../lib/kept.ts';
import { READS, type ReadName } from './read-table.ts';

interface Checks {
  readonly args: (value: unknown) => boolean;
  readonly result: (value: unknown) => boolean;
}

/** Made when they are first wanted. */
const checks = new Map<ReadName, Checks>();

function checksOf(name: ReadName): Checks {
  return keptIn(checks, name, () => {
    const [args, result] = [Compile(READS[name].args), Compile(READS[name].result)];
    return { args: (value) => args.Check(value), result: (value) => result.Check(value) };
  });
}

/** Whether there is such a read, and these can be its arguments. */
export function isRead([name, ...args]: readonly unknown[]): boolean {
  return Object.hasOwn(READS, name as string) && checksOf(name as ReadName).args(args);
}

/** Whether a value can be the result of a read: a server may be another program, or another version of this one. */
export function isResult(name: ReadName, value: unknown): boolean {
  return checksOf(name).result(value);
}
