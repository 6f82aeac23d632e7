/** Before each file of tests: keeps compiled sources between processes, and notes what the process took. */
import { readFileSync, writeFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(FOLDER);
// For the processes that the tests start.
process.env['NODE_COMPILE_CACHE'] = FOLDER;

/** Of the times in /proc. */
const TICKS_A_SECOND = 100;

/** Seconds of the processes that this one started and that have ended; 0 where there is no /proc. */
function childSeconds(): number {
  try {
    const [, times] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const [user, system] = times!.split(' ').slice(13, 15).map(Number);
    return (user! + system!) / TICKS_A_SECOND;
  } catch {
    return 0;
  }
}

const { AKIN_TEST_COSTS: costs } = process.env;
if (isMainThread && costs !== undefined) {
  // What this process starts is counted as its own.
  delete process.env['AKIN_TEST_COSTS'];
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6 + childSeconds();
    const file = relative(process.cwd(), process.argv[1] ?? '');
    writeFileSync(join(costs, `${process.pid}.json`), JSON.stringify([seconds, file]));
  });
}
