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
  return { code, ...output };
}
