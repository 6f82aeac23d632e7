/** Before each file of tests: keeps compiled sources between processes, and finds sources as the launcher has them found. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import '../bin/modules.js';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(FOLDER);
// For the processes that the tests start.
process.env['NODE_COMPILE_CACHE'] = FOLDER;
