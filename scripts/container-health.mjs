// The health check of the image: asks the server of this container, on the port that it was given, whether it is
// ready. The first process says how it was started: --port beats AKIN_PORT, as in akin itself.
import { readFileSync } from 'node:fs';

const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
const flag = words.findLast((word, i) => words[i - 1] === '--port' || word.startsWith('--port='));
const port = flag?.replace('--port=', '') ?? process.env.AKIN_PORT ?? '3000';

// Any other command, such as `akin index`, has nothing to answer; it is healthy while it runs.
if (words.includes('serve')) {
  const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
  process.exit(isReady ? 0 : 1);
}
