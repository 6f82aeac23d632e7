/** Before each file of tests: keeps compiled sources between processes. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(FOLDER);
// For the processes that the tests start.
process.env['NODE_COMPILE_CACHE'] = FOLDER;
