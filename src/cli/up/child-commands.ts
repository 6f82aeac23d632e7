import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../terminal/process-end.ts';

const MODULES = fileURLToPath(new URL('../../../bin/modules.js', import.meta.url));

/**
 * Commands of akin in processes of their own, one at a time, so that the server in this one answers meanwhile. Their
 * standard error is this one's, unless a caller takes what they say; they end when this process dies, however it dies (see main.ts).
 */
export class ChildCommands {
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #isStopped = false;
  readonly #stopping = new AbortController();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /**
   * The exit code of the command, that of a temporary error where something else ended it; null where it was stopped.
   *
   * @param hear is called with each line that it says.
   */
  async run(argv: readonly string[], hear?: (line: string) => void): Promise<number | null> {
    if (this.#isStopped) return null;
    const main = fileURLToPath(new URL(`../main${extname(import.meta.url)}`, import.meta.url));
    const to = hear === undefined ? 2 : 'pipe';
    const execArgv = [...process.execArgv, '--require', MODULES];
    const child = fork(main, argv, { env: this.#env, execArgv, stdio: ['ignore', to, to, 'ipc'] });
    this.#child = child;
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', hear!);
    }
    // By then all that it said has come.
    const [code] = (await once(child, 'close')) as [number | null];
    this.#child = null;
    return this.#isStopped ? null : (code ?? EXIT.transient);
  }

  /** Lets the command end as it does on a signal, and starts no other. */
  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
  }
}
