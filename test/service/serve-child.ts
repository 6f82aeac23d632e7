/** Serves an index as `akin serve` does, until SIGTERM; options as JSON. Prints the address. */
import { serve } from '../../src/service/serve.ts';

const [indexPath, options] = process.argv.slice(2);
const serving = await serve({
  indexPath: indexPath!,
  host: '127.0.0.1',
  port: 0,
  ...JSON.parse(options ?? '{}'),
});
process.stdout.write(`${serving.address}\n`);
process.once('SIGTERM', () => void serving.close());
