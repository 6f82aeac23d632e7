import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { serve } from '../../src/service/serve.ts';

type ServeOptions = Parameters<typeof serve>[0];

interface ChildServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** Its standard error so far. */
  said(): string;
  /** All of its standard error, once it has ended; its exit code first. */
  readonly ended: Promise<{ code: number | null; errors: string }>;
}

/**
 * A server in a process of its own, killed after the test where it has not ended by then. It refuses nothing because it
 * lags: a busy machine would have any request refused.
 */
export async function startServer(
  t: { after(fn: () => void): void },
  indexPath: string,
  options: Partial<ServeOptions> = {},
): Promise<ChildServer> {
  const script = fileURLToPath(new URL('./serve-child.ts', import.meta.url));
  const faster = `--import=${new URL('../compile-cache.ts', import.meta.url)}`;
  const child = spawn(
    process.execPath,
    [faster, script, indexPath, JSON.stringify({ maxEventLoopDelayMs: 0, ...options })],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  t.after(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const started = await Promise.race([first, ended]);
  if (!Array.isArray(started)) throw new Error(`the server did not start: ${started.errors}`);
  return { port: Number(new URL(started[0]).port), process: child, said: () => errors, ended };
}
