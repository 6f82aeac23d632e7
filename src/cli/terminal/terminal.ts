import type { Readable, Writable } from 'node:stream';
import { inWords } from '../../lib/in-words.ts';

/** The outside world of a command; a parameter, so that a test can pass its own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

export function print(terminal: Terminal, text: string): void {
  terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** An answer of the service, or rows, as they are. */
export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2));
}

/** A report of this program: its members in snake_case, as in all JSON that is printed. */
export function printReport(terminal: Terminal, report: object): void {
  printJson(terminal, snakeCased(report));
}

/** Writes a line for people, beside the answer. */
export function tell(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`);
}

/** Removes control characters of a page or a path: in a terminal they could move the cursor or fake text. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();
}

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
]);

/** A value as JSON has it, its members in snake_case as HTTP has them. */
function snakeCased(value: unknown, isNamedByData = false): unknown {
  if (Array.isArray(value)) return value.map((one) => snakeCased(one));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      isNamedByData ? name : inWords(name, '_'),
      snakeCased(member, NAMED_BY_DATA.has(name)),
    ]),
  );
}
