import type { Readable, Writable } from 'node:stream';
import { snakeCased } from './snake-case.ts';

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
