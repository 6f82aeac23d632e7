import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** Stands in every index, and says which akin wrote it. */
export const PACKAGE_VERSION = (JSON.parse(manifest) as { version: string }).version;
