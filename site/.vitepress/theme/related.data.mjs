import { existsSync, readFileSync } from 'node:fs';

const FILE = new URL('../../related.json', import.meta.url);

/** Of each page, the pages related to it, as build.mjs found them; nothing before that. */
export default {
  load: () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}),
};
