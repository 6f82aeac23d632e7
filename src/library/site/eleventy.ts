/** The plugin for Eleventy: `eleventyConfig.addPlugin(akin, { base: 'https://example.org/' })`. */
import { keptIn } from '../../lib/kept.ts';
import { type InjectOptions, type InjectReport, injectFolder } from './inject.ts';

/** What is used of a page of a collection: `rawInput` is its file below the front matter, which not all have, `url` false where nothing is written. */
interface CollectionPage {
  readonly url: string | false;
  readonly rawInput?: string;
  /** A title in YAML may be a number or a date. */
  readonly data: { readonly title?: unknown };
}
type Pages = readonly CollectionPage[];

/** What is used of the configuration of Eleventy. */
interface EleventyConfig {
  addAsyncFilter(name: string, filter: (pages: Pages, url: string) => Promise<Pages>): unknown;
  on(
    event: 'eleventy.after',
    listener: (build: { directories: { output: string }; runMode: string }) => Promise<void>,
  ): unknown;
}

export interface EleventyOptions extends InjectOptions {
  /** Is called after each build with what was done. */
  readonly onReport?: (report: InjectReport) => void;
}

/**
 * Writes related pages into the output after each build; while Eleventy serves or watches, nothing. A site with markup of its own has the
 * filter `related` instead: the pages of a collection that are related to the one of a URL, by what their files hold.
 */
export function akin(config: EleventyConfig, { onReport, ...options }: EleventyOptions): void {
  // Eleventy makes each collection once a build.
  const known = new WeakMap<Pages, Promise<ReadonlyMap<string, Pages>>>();
  let isFiltered = false;
  config.addAsyncFilter('related', async (pages, url) => {
    isFiltered = true;
    const lists = await keptIn(known, pages, () => listsOf(pages, options));
    return lists.get(new URL(url, options.base).href) ?? [];
  });
  config.on('eleventy.after', async ({ directories, runMode }) => {
    if (runMode !== 'build' || isFiltered) return;
    const report = await injectFolder(directories.output, options);
    onReport?.(report);
  });
}

async function listsOf(
  pages: Pages,
  { base, limit = 5 }: InjectOptions,
): Promise<ReadonlyMap<string, Pages>> {
  const { relate } = await import('../relate.ts');
  const written = pages.filter(({ url }) => url !== false);
  const pageOf = new Map(written.map((page) => [new URL(String(page.url), base).href, page]));
  const documents = Array.from(pageOf, ([url, { rawInput, data }]) => {
    return { url, title: data.title == null ? null : String(data.title), text: rawInput ?? '' };
  });
  const lists = await relate(documents, { limit });
  return new Map(Array.from(lists, ([url, list]) => [url, list.map((item) => pageOf.get(item.url)!)]));
}
