/**
 * The first import of each entry that needs more of Node than `fetch`: it says which Node is needed, where an older one would name
 * an export that it lacks. It is evaluated at all because zstd, the youngest part that is used, is nowhere imported by name.
 */
import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { ConfigError } from '../errors.ts';

if (zlib.zstdCompressSync === undefined) {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const needed = JSON.parse(manifest).engines.node.replace('>=', '');
  const said = `akin-web needs Node ${needed} or newer; this is ${process.versions.node}`;
  throw new ConfigError('AKIN_ERR_CONFIG', said, { hint: 'install a newer Node from https://nodejs.org' });
}
