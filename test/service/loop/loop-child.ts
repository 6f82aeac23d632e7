/**
 * Serves an index with the explorer, as `akin up` does. Sends its port, and for each message the longest time that its event loop
 * was held since the message before, and what all of its threads have worked: in milliseconds of the processor, so that other
 * programs of a busy machine do not count.
 */
import { addExplorer } from '../../../src/explorer/explorer.ts';
import { serve } from '../../../src/service/serve.ts';

const LOOK_MS = 1;

let worked = process.cpuUsage();
let longestUs = 0;
let last = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  longestUs = Math.max(longestUs, now.user + now.system - last.user - last.system);
  last = now;
}, LOOK_MS);

const [indexPath] = process.argv.slice(2);
const { address } = await serve({
  indexPath: indexPath!,
  host: '127.0.0.1',
  port: 0,
  logLevel: 'error',
  maxEventLoopDelayMs: 0,
  extend: addExplorer,
});
process.on('message', () => {
  const { user, system } = process.cpuUsage(worked);
  worked = process.cpuUsage();
  process.send!({ heldMs: longestUs / 1000, workedMs: (user + system) / 1000 });
  longestUs = 0;
});
process.once('disconnect', () => process.exit());
process.send!({ port: Number(new URL(address).port) });
