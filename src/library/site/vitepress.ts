/** The hook for VitePress: `buildEnd: akin({ base: 'https://docs.example/' })` in its configuration. */
import { type InjectOptions, injectFolder } from './inject.ts';

/** What is used of the configuration of VitePress. */
interface VitePressSite {
  readonly outDir: string;
  readonly cleanUrls: boolean;
  readonly logger: { info(message: string): void };
}

/** Writes related pages into the output after a build. Unless said otherwise, the text of documents alone counts. */
export function akin(options: InjectOptions): (site: VitePressSite) => Promise<void> {
  return async ({ outDir, cleanUrls, logger }) => {
    const { changed, listCount } = await injectFolder(outDir, { body: '.vp-doc', cleanUrls, ...options });
    logger.info(`akin: ${listCount} pages show related pages; ${changed.length} changed`);
  };
}
