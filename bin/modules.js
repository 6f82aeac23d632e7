// Finds the files of the package by their names alone, once it is required: what Node looks for behind each import - links,
// the kind of its package - is two fifths of what a start takes, and that of a thread.
'use strict';
const { registerHooks } = require('node:module');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const home = pathToFileURL(join(__dirname, '..') + sep).href;
const built = `${home}dist/`;

registerHooks({
  resolve(specifier, context, next) {
    const format = formatOf(specifier, context.parentURL || '');
    if (format === null) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
  },
});

/** Null for what is found in no other way. */
function formatOf(specifier, parent) {
  if (!specifier.startsWith('.') || !parent.startsWith(home)) return null;
  if (specifier.endsWith('.js')) return parent.startsWith(built) ? 'module' : null;
  return specifier.endsWith('.ts') && !parent.includes('/node_modules/', home.length)
    ? 'module-typescript'
    : null;
}
