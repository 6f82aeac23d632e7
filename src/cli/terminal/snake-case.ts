import { inWords } from '../../lib/in-words.ts';

/** Members whose own members are named by what was read: groups, extensions, reasons. */
const NAMED_BY_DATA: ReadonlySet<string> = new Set([
  'unknownMembers',
  'unusedGroups',
  'skipped',
  'skippedFiles',
  'statuses',
  'lengths',
  'failures',
  'parts',
  'shares',
  'start',
  'best',
]);

/** A value as JSON has it, its members in snake_case as HTTP has them. */
export function snakeCased(value: unknown, isNamedByData = false): unknown {
  if (Array.isArray(value)) return value.map((one) => snakeCased(one));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      isNamedByData ? name : inWords(name, '_'),
      snakeCased(member, NAMED_BY_DATA.has(name)),
    ]),
  );
}
