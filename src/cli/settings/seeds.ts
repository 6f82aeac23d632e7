import { readFileSync } from 'node:fs';
import type { Seed } from '../../crawl/rules/options.ts';
import { InputError } from '../../errors.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';

/**
 * Reads the SEED words of `akin crawl`: URLs, or files with a URL a line. A tab and a number behind a URL say how many
 * links it is from a seed, and a tab and `sitemap` that it is one, as the lists that a part writes for another have it.
 *
 * Errors  InputError AKIN_ERR_URL, AKIN_ERR_INPUT_MISSING.
 */
export function parseSeeds(words: readonly string[]): Seed[] {
  return words.flatMap((word) => (/^https?:\/\//i.test(word) ? [seedOf(word, 0, word)] : seedsOfFile(word)));
}

function seedsOfFile(path: string): Seed[] {
  return readSeedFile(path)
    .split(/\r?\n/)
    .flatMap((line, i) => {
      const [, url = '', depth = '0', kind] = /^(\S*)(?:\t(\d+)(?:\t(sitemap))?)?$/.exec(line.trim()) ?? [];
      if (line.trim() === '' || line.startsWith('#')) return [];
      const seed = seedOf(url, Number(depth), `${path} line ${i + 1}: ${line.trim()}`);
      return [kind === 'sitemap' ? { ...seed, kind } : seed];
    });
}

function seedOf(text: string, depth: number, place: string): Seed {
  const url = canonicalUrl(text);
  if (url === null) {
    throw new InputError('AKIN_ERR_URL', `"${place}" is not an http(s) URL`, {
      hint: 'give a whole one, such as https://example.org/',
    });
  }
  const isSitemap = depth === 0 && SITEMAP_NAME.test(url.split('?', 1)[0]!);
  return { url, depth, kind: isSitemap ? 'sitemap' : 'page' };
}

/** A sitemap or feed of another name is known by its content. */
const SITEMAP_NAME = /(?:\.xml|\/sitemap[^/]*\.txt)(?:\.gz)?$/i;

function readSeedFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `${path} is neither a URL nor a file`, {
      hint: `for a site give its whole URL, such as https://${path.split('/', 1)[0]}/`,
      cause,
    });
  }
}
