import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, on streams in memory. */
export async function akin(
  argv: readonly string[],
  given: { stdin?: string; env?: Record<string, string> } = {},
  command = run,
): Promise<Outcome> {
  const output = { stdout: '', stderr: '' };
  const writer = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk, _encoding, done) {
        output[name] += String(chunk);
        done();
      },
    });
  const code = await command(argv, {
    env: given.env ?? {},
    stdin: Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]),
    stdout: writer('stdout'),
    stderr: writer('stderr'),
  });
  if (argv.includes('--json') && output.stdout.startsWith('{')) requireSnakeCase(JSON.parse(output.stdout));
  return { code, ...output };
}

/** Named by what was read. */
const NAMED_BY_DATA =
  /^(unknown_members|unused_groups|skipped|skipped_files|statuses|lengths|failures|parts|shares|start|best|terms)$/;

/** Of all JSON that any test has printed. */
function requireSnakeCase(value: unknown, at = '', isNamedByData = false): void {
  if (Array.isArray(value)) for (const one of value) requireSnakeCase(one, `${at}[]`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (!isNamedByData) assert.match(name, /^[a-z0-9]+(_[a-z0-9]+)*$/, `a member of JSON: ${at}.${name}`);
    requireSnakeCase(member, `${at}.${name}`, NAMED_BY_DATA.test(name));
  }
}

/** A printed report under the names that it has in the program. */
export function reportOf<Report>(json: string): Report {
  return JSON.parse(json, (_name, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const camel = (name: string) =>
      name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [camel(name), member]));
  });
}
