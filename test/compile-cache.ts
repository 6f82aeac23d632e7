/** Before each file of tests: keeps compiled sources between processes, and finds sources by their names alone. */
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(FOLDER);
// For the processes that the tests start.
process.env['NODE_COMPILE_CACHE'] = FOLDER;

// What Node looks for behind each import, links and the kind of a package, costs a thread a third of its start.
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    return { url: href, format: 'module-typescript', shortCircuit: true };
  },
});
