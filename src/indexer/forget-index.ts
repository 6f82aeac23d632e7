import { statSync } from 'node:fs';
import { InputError, NotIndexedError } from '../errors.ts';
import type { IndexReader } from '../store/reader.ts';
import { publishFile } from '../store/writer.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { changeIndex } from './add-folder.ts';
import { type ChangeOptions, storedOptions } from './add-options.ts';
import { type Forgotten, forgetPages } from './forget-pages.ts';

export interface ForgetOptions extends ChangeOptions {
  readonly urls: readonly string[];
}

export interface ForgetReport extends Omit<Forgotten, 'path'> {
  readonly target: string;
  readonly indexBytes: number;
  readonly durationMs: number;
}

/**
 * Takes URLs out of an index and publishes it: a page with all that is known of it, of an alias the alias alone.
 *
 * Errors  InputError AKIN_ERR_URL; NotIndexedError AKIN_ERR_PAGE_NOT_INDEXED that names every URL that is not there,
 *         before anything is changed; InputError AKIN_ERR_OPTION where no page would be left.
 */
export async function forgetUrls(options: ForgetOptions): Promise<ForgetReport> {
  const startedAtMs = Date.now();
  const { target } = options;
  const urls = [...new Set(options.urls.map(requireUrl))];
  return changeIndex(
    target,
    (reader) => {
      requireKnown(reader, urls);
      return storedOptions(reader, options, { inputs: [], sweepName: null }, urls);
    },
    ({ folder, options: stored }) => {
      const { path, ...forgotten } = forgetPages(target, folder, stored, urls);
      publishFile(path, target);
      return {
        ...forgotten,
        target,
        indexBytes: statSync(target).size,
        durationMs: Date.now() - startedAtMs,
      };
    },
  );
}

function requireKnown(reader: IndexReader, urls: readonly string[]): void {
  const missing = urls.filter((url) => reader.findPage(url) < 0);
  if (missing.length > 0) {
    throw new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', `not in ${reader.path}: ${missing.join(', ')}`, {
      hint: 'nothing was changed; leave these out and call again',
    });
  }
  const pages = urls.filter((url) => reader.page(reader.findPage(url)).url === url);
  if (pages.length === reader.pageCount) {
    throw new InputError('AKIN_ERR_OPTION', 'these are all pages of the index', {
      hint: `remove the file instead: ${reader.path}`,
    });
  }
}

function requireUrl(text: string): string {
  const url = canonicalUrl(text);
  if (url !== null) return url;
  throw new InputError('AKIN_ERR_URL', `"${text}" is not an http(s) URL`, {
    hint: 'give a whole one, such as https://example.org/page',
  });
}
