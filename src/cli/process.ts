import { EXIT, endAtSignals, exitCodeOf } from './terminal/process-end.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Runs a command line as this process: its streams in, its exit code out. */
export async function asProcess(
  run: (argv: readonly string[], terminal: Terminal) => Promise<number>,
): Promise<void> {
  // A reader that stops early (`akin related ... | head`) is not an error; output that cannot be written is one.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`akin: cannot write the output: ${error.message}\n`);
    process.exit(exitCodeOf(error));
  });
  if (process.pid === 1) endAtSignals();
  // What is said beside the work may have no reader: the work goes on.
  process.stderr.on('error', () => {});
  // Commands that `akin up` started end with it, however it ends.
  if (process.channel !== undefined) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  const { env, stdin, stdout, stderr } = process;
  process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr });
}
