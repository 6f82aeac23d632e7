// The health check of the image: asks the server of this container, on the port and below the path that it was given,
// whether it is ready. The first process says how it was started: --port beats AKIN_PORT, as in akin itself.
import { readFileSync } from 'node:fs';

const words = readFileSync('/proc/1/cmdline', 'utf8').split('\0');
const given = (flag, variable) => {
  const word = words.findLast((word, i) => words[i - 1] === flag || word.startsWith(`${flag}=`));
  return word?.replace(`${flag}=`, '') ?? process.env[variable] ?? '';
};
const port = given('--port', 'AKIN_PORT') || '3000';
const path = given('--base-path', 'AKIN_BASE_PATH').replace(/\/+$/, '');

// Any other command, such as `akin index`, has nothing to answer; it is healthy while it runs.
if (words.includes('serve')) {
  const isReady = await fetch(`http://127.0.0.1:${port}${path}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
  process.exit(isReady ? 0 : 1);
}
